// The board of a deal in a frame of another page: it tells that page its height, and its link leads to the moment shown.
const { address } = document.querySelector('#replay') ? await import('./deal.js') : {}; // a receipt has no moments
const whole = document.querySelector('#whole');
const page = new URL(whole.href);
function follow() {
  const here = new URL(address(), location);
  for (const [key, value] of here.searchParams) page.searchParams.set(key, value);
  for (const key of [...page.searchParams.keys()]) if (!here.searchParams.has(key)) page.searchParams.delete(key);
  page.hash = here.hash;
  whole.href = page;
}
if (address) for (const sign of ['pointerdown', 'focus', 'click']) whole.addEventListener(sign, follow);

const root = document.documentElement;
const tell = () => parent.postMessage({ 'schafkopf-archive': { height: Math.ceil(root.getBoundingClientRect().height) } }, '*');
if (parent !== window) {
  new ResizeObserver(tell).observe(root);
  addEventListener('message', event => { if (event.source === parent && event.data === 'schafkopf-archive') tell(); });
}
