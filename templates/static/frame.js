// The frame of every page. Its links work without this; with it a choice keeps what scripts have put into the address.
addEventListener('click', event => {
  const link = event.target.closest('a[data-keep]');
  if (link) {
    const chosen = new URL(link.href).searchParams.get(link.dataset.keep);
    const query = new URLSearchParams(location.search);
    query.delete(link.dataset.keep);
    if (chosen) query.set(link.dataset.keep, chosen);
    link.search = query;
    link.hash = location.hash;
  }
  for (const menu of document.querySelectorAll('.display[open]')) if (!menu.contains(event.target)) menu.open = false;
}, true);
addEventListener('keydown', event => {
  const menu = event.key === 'Escape' && document.querySelector('.display[open]');
  if (menu) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});
// Long tables are folded on a phone; without this they are open.
if (matchMedia('(max-width: 760px)').matches) for (const table of document.querySelectorAll('details[data-fold]')) table.open = false;
document.querySelector('.top nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
