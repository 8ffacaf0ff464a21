// Motion at the table: a card goes from its hand to its place, a trick to who takes it. It is seen once and holds up nothing.
const TIME = { duration: 150, easing: 'ease-out' };
export const still = matchMedia('(prefers-reduced-motion: reduce)');
const shift = (from, to) => `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
const box = el => (el.querySelector('svg') ?? el).getBoundingClientRect();

// Before a draw of the next move: what is to move. After it, calling what is returned lets it move.
export function motion({ from, lay, taken, taker, trick }) {
  if (still.matches) return () => {};
  const origin = from && box(from);
  const leaving = taken.map(el => [el.cloneNode(true), box(el)]);
  for (const [clone] of leaving) {
    for (const name of ['href', 'role', 'aria-label']) clone.removeAttribute(name);
    clone.setAttribute('aria-hidden', 'true');
    clone.className = 'card leaving';
  }
  return () => requestAnimationFrame(() => { // measured where the browser lays the page out anyway
    if (origin && !lay.hidden) lay.animate([{ transformOrigin: '0 0', transform: shift(origin, box(lay)) }, { transformOrigin: '0 0', transform: 'none' }], TIME);
    if (!leaving.length) return;
    const [to, here] = [taker.getBoundingClientRect(), trick.getBoundingClientRect()];
    for (const [clone, was] of leaving) {
      const [x, y] = [to.x + to.width / 2 - was.width / 2 - here.x, to.y + to.height / 2 - was.height / 2 - here.y];
      trick.append(clone);
      clone.animate([
        { transform: `translate(${was.x - here.x}px, ${was.y - here.y}px)` },
        { transform: `translate(${x}px, ${y}px) scale(.4)`, opacity: .2 },
      ], TIME).finished.catch(() => {}).then(() => clone.remove());
    }
  });
}
