// Plots that answer: the value of a bar, dot or column stands beside it under a pointer, a finger and the keyboard. Each
// plot is one stop of the tab key; arrows go from mark to mark. Without this, a browser shows the values of marks itself.
const NEAR = 24; // pixels from a mark at which its value is shown
const tip = document.body.appendChild(Object.assign(document.createElement('div'), { className: 'tip', hidden: true }));
tip.setAttribute('aria-hidden', 'true'); // a reader hears the label of the mark

function show(mark) {
  tip.textContent = mark.getAttribute('aria-label');
  tip.hidden = false;
  const box = mark.getBoundingClientRect(), own = tip.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left + box.width / 2 - own.width / 2, document.documentElement.clientWidth - own.width - 8));
  const above = box.top - own.height - 8;
  tip.style.left = `${left + scrollX}px`;
  tip.style.top = `${(above > 0 ? above : box.bottom + 8) + scrollY}px`;
}
const hide = () => { tip.hidden = true; };

function nearest(marks, x, y) {
  let found = null, least = NEAR;
  for (const mark of marks) {
    const box = mark.getBoundingClientRect();
    const far = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (far < least) [found, least] = [mark, far];
  }
  return found;
}

for (const plot of document.querySelectorAll('.plotted svg.plot')) {
  const marks = [...plot.querySelectorAll('path > title')].map(title => {
    const mark = title.closest('a') ?? title.parentNode;
    mark.setAttribute('aria-label', title.textContent);
    if (mark.tagName !== 'a') mark.setAttribute('role', 'img');
    title.remove(); // its value is shown once
    mark.setAttribute('tabindex', -1);
    return mark;
  });
  if (!marks.length) continue;
  plot.setAttribute('role', 'group');
  marks[0].setAttribute('tabindex', 0);
  const go = at => marks[Math.max(0, Math.min(at, marks.length - 1))].focus();
  plot.addEventListener('focusin', event => {
    for (const mark of marks) mark.setAttribute('tabindex', mark === event.target ? 0 : -1);
    show(event.target);
  });
  plot.addEventListener('focusout', hide);
  plot.addEventListener('pointermove', event => {
    const mark = nearest(marks, event.clientX, event.clientY);
    if (mark) show(mark); else hide();
  });
  plot.addEventListener('pointerleave', hide);
  plot.addEventListener('keydown', event => {
    const at = marks.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: marks.length - 1 }[event.key];
    if (event.key === 'Escape') hide();
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  });
}
