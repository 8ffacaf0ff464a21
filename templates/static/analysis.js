// Keys of an analysis: each follows a link of the page, so that every position has its address.
const STEPS = { ArrowLeft: 'before', ArrowRight: 'next', b: 'mistake_next', B: 'mistake_before', r: 'rest', Escape: 'back' };
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
  const link = document.querySelector(`[data-step="${STEPS[event.key]}"]`);
  if (!link) return;
  event.preventDefault();
  location.assign(link.href);
});
