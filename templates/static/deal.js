// Wires a deal: keys, buttons, touch, links and the address drive the machine of `state.js`; `table.js` draws its state.
import { JUMPS, machine } from './state.js';
import { drawing, still } from './table.js';

const $ = query => document.querySelector(query);
const data = JSON.parse($('#replay').textContent);
const m = machine(data);
const draw = drawing(m, data);
let state = m.read(location.search, location.hash);
let timer = 0;
const narrow = matchMedia('(max-width: 760px)');
const finger = matchMedia('(pointer: coarse)');

// What is on the table now, for whoever shares or draws it.
export const shown = () => ({ state, data, step: m.steps[state.at] });
// The address of what is on the table now.
export const address = () => location.pathname + m.write(state, location.search, location.hash);

function show(next) {
  clearTimeout(timer);
  state = next;
  draw(state);
  if (state.playing) timer = setTimeout(() => act('tick'), m.wait(state));
}
// On a phone the table may begin so low that the buttons hide its foot: then it comes up, as far as it needs to.
function seeTable() {
  const [felt, say] = ['.felt.js', '.say.js'].map(part => $(part).getBoundingClientRect());
  const hidden = say.left < felt.right ? Math.min(felt.bottom - say.top, felt.top) : 0;
  if (hidden > 1) scrollBy({ top: hidden, behavior: still.matches ? 'auto' : 'smooth' });
}
function act(name, what) {
  show(m.act(state, name, what));
  if (narrow.matches) requestAnimationFrame(seeTable);
  try {
    history[JUMPS.has(name) ? 'pushState' : 'replaceState'](null, '', address());
  } catch { /* some browsers refuse an address more often than a hundred times in half a minute */ }
}
async function copyLink() {
  const link = new URL(address(), location).href;
  const { copied, link: label } = $('.say').dataset;
  try {
    await navigator.clipboard.writeText(link);
    $('.say .what').textContent = copied;
  } catch { // no permission, or no secure page: it can be selected
    $('.say .what').textContent = `${label} ${link}`;
  }
  $('.say .next').textContent = '';
}
function ways() { // to share, all of them
  document.dispatchEvent(new Event('share'));
  $('#share')?.showModal();
}
async function share() { // a telephone asks at once to whom
  if (!navigator.share || !finger.matches) return ways();
  document.dispatchEvent(new Event('share'));
  try {
    await navigator.share({ title: document.title, url: $('#share-link')?.value || new URL(address(), location).href });
  } catch (error) {
    if (error.name !== 'AbortError') ways();
  }
}
function settle() { // what stands in its place while the hands are hidden
  const to = [$('#settlement'), $('#shut')].find(el => el?.checkVisibility());
  to?.scrollIntoView();
  to?.focus({ preventScroll: true });
}
const OTHERS = {
  nextDeal: () => $('a[rel=next]')?.click(), lastDeal: () => $('a[rel=prev]')?.click(), faces: () => $('#faces')?.click(),
  help: () => $('#help')?.showModal(), link: copyLink, share, ways, settle,
};
const KEYS = {
  ArrowLeft: 'back', k: 'back', ArrowRight: 'step', j: 'step', '[': 'trickBack', PageUp: 'trickBack', ']': 'trickOn', PageDown: 'trickOn',
  Home: 'home', End: 'end', ' ': 'play', v: 'speed', b: 'finding', n: 'nextDeal', p: 'lastDeal', f: 'turn', h: 'hands', c: 'faces', s: 'settle', l: 'link', '?': 'help',
};
function perform(name) {
  if (!OTHERS[name]) return act(name);
  if (state.playing) act('stop');
  OTHERS[name]();
}
// Brackets are typed with a modifier on many keyboards; all else with one is the browser's.
const modified = event => event.metaKey || ((event.ctrlKey || event.altKey) && !(event.altKey && '[]'.includes(event.key)));
addEventListener('keydown', event => {
  if (modified(event) || $('dialog[open]') || event.target.closest('input, textarea, select, [contenteditable]')) return;
  if (event.key === ' ' && event.target.closest('button, summary')) return;
  const digit = /^\d$/.test(event.key);
  if (!digit && !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  digit ? act('trick', Number(event.key)) : perform(KEYS[event.key]);
});

// A link to a page of the deals around, or to this one with another choice, keeps the view.
function keepView(link) {
  if (link.matches('[rel=next], [rel=prev]')) link.search = m.query(state, link.search);
}
addEventListener('click', event => {
  const button = event.target.closest('[data-do]');
  const link = event.target.closest('a[href]');
  if (button) {
    if (button.dataset.do !== 'speed') button.closest('[popover]:popover-open')?.hidePopover();
    return perform(button.dataset.do);
  }
  if (!link) return;
  const name = link.getAttribute('href').startsWith('#') ? link.hash.slice(1) : null;
  if (name === null) return keepView(link);
  if (m.names(name)) {
    event.preventDefault();
    act('go', name);
  } else if (m.hasRecord(location.hash)) { // the fragment holds the deal: it must stay
    event.preventDefault();
    const place = document.getElementById(name);
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }
});
// Touch on an element: a tap on its left or right half, a hold, swipes. A mouse and a second finger do nothing here.
const HOLD = 500; // milliseconds
const FAR = 40, STILL = 12; // pixels: a swipe is longer than the one, a tap and a hold shorter than the other

// Calls what is named `tap` (with whether it was the right half), `hold`, `left`, `right`, `up` in `on`.
function watch(el, on) {
  let start = null;
  const forget = () => {
    clearTimeout(start?.timer);
    start = null;
  };
  const way = ({ clientX, clientY }) => [clientX - start.x, clientY - start.y];
  function ended(event, { clientX }, [x, y], held) {
    const across = Math.abs(x), along = Math.abs(y);
    if (across > FAR && across > 1.5 * along) return on[x < 0 ? 'left' : 'right']?.();
    if (-y > FAR && along > 1.5 * across) return on.up?.();
    if (!on.tap || Math.hypot(x, y) > STILL) return;
    event.preventDefault(); // no click on the card below
    const { left, width } = el.getBoundingClientRect();
    if (!held) on.tap(clientX > left + width / 2);
  }
  el.addEventListener('touchstart', event => {
    forget();
    if (event.touches.length > 1) return;
    const [{ clientX: x, clientY: y }] = event.touches;
    const mine = start = { x, y, held: false };
    mine.timer = setTimeout(() => {
      mine.held = true;
      on.hold?.();
    }, HOLD);
  }, { passive: true });
  el.addEventListener('touchmove', event => { if (start && Math.hypot(...way(event.touches[0])) > STILL) clearTimeout(start.timer); }, { passive: true });
  el.addEventListener('touchend', event => {
    if (!start) return;
    const [touch] = event.changedTouches;
    const [moved, held] = [way(touch), start.held];
    forget();
    ended(event, touch, moved, held);
  });
  el.addEventListener('touchcancel', forget);
  if (on.hold) el.addEventListener('contextmenu', event => { if (start) event.preventDefault(); });
}
// A finger on the table steps, wherever it comes down: cards are too small there to be aimed at. A mouse follows their links.
watch($('.felt.js'), {
  tap: right => act(right ? 'step' : 'back'), hold: () => act('play'), left: () => act('step'), right: () => act('back'),
});
for (const el of document.querySelectorAll('.say.js, .play')) watch(el, { up: () => perform('settle') });
const head = $('.head');
if (head) watch(head, { left: () => perform('nextDeal'), right: () => perform('lastDeal') });

const read = () => show(m.read(location.search, location.hash, state)); // the back button, or another fragment
addEventListener('popstate', read);
addEventListener('hashchange', read);
draw(state);
$('.undrawn')?.remove();
