// The evening on the wall: the page asks again, and the server says when it is another. A screen that stays on, where the
// browser can keep it so, and the whole of it by a tap.
const EVERY = 2000; // milliseconds
let known = '';
async function look() {
  try {
    const answer = document.hidden ? null : await fetch(location.href, { cache: 'no-cache', headers: known ? { 'If-None-Match': known } : {} });
    const etag = answer?.headers.get('etag') || '';
    if (answer?.ok && etag !== known) {
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('wall');
      if (fresh && known) {
        const wall = document.getElementById('wall');
        fresh.classList.toggle('fresh', fresh.dataset.deals !== wall.dataset.deals);
        wall.replaceWith(document.adoptNode(fresh));
      }
      known = etag;
    }
  } catch { // no network: what is there stays
  }
  setTimeout(look, EVERY);
}
look();

const awake = async () => { try { await navigator.wakeLock?.request('screen'); } catch { /* the browser may refuse */ } };
document.addEventListener('visibilitychange', () => { if (!document.hidden) awake(); });
awake();

const full = document.getElementById('full');
if (document.fullscreenEnabled) {
  full.hidden = false;
  full.addEventListener('click', () => document.documentElement.requestFullscreen().catch(() => {}));
}
