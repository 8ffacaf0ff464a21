// Steps through a deal. One state (at, seat, open, faces), one render(); the address is the state.
// Every fact stands in the page's JSON, in the order it happened: no rule of the game is known here.
const $ = (query, root = document) => root.querySelector(query);
const $$ = (query, root = document) => [...root.querySelectorAll(query)];
const { seat: first, pack, seats, around, steps } = JSON.parse($('#replay').textContent);
const index = new Map(steps.map((step, i) => [step.id, i]));
const parts = [...new Set(steps.map(step => step.part))];
const PACKS = ['german', 'french'];
const FRENCH = { O: 'D', U: 'B', Z: '10' };
const state = { at: 0, seat: first, open: true, pack, timer: 0 };

const text = (el, value) => { if (el.textContent !== value) el.textContent = value; };
const target = link => index.get(link.hash.slice(1));
const happened = id => !id || index.get(id) <= state.at;
const place = seat => around[(seats.indexOf(seat) - seats.indexOf(state.seat) + seats.length) % seats.length];
const current = (el, on) => on ? el.setAttribute('aria-current', 'step') : el.removeAttribute('aria-current');
const setFace = (el, code) => $('use', el).setAttribute('href', $('use', el).getAttribute('href').replace(/cards-\w+\.svg#.*/, `cards-${state.pack}.svg#${code}`));

function renderSeat(el, step) {
  const seat = Number(el.dataset.seat);
  el.dataset.pos = place(seat);
  el.classList.toggle('next', step.turn === seat);
  const [points, tricks] = step.won?.[seat] || [0, 0];
  text($('.won', el), tricks ? `${points} in ${tricks}` : '');
  const own = state.open || seat === state.seat || ('opened' in el.dataset && happened(el.dataset.opened));
  $$('.mark', el).forEach(mark => { mark.hidden = !happened(mark.dataset.since) && !('secret' in mark.dataset && own && happened('g')); });
  renderFan(el, own, step.turn === seat && step.may || []);
}
function renderFan(el, own, may) {
  $$('.card', el).forEach(card => {
    const gone = card.hash !== '' && target(card) <= state.at;
    card.classList.toggle('back', !own);
    card.classList.toggle('away', !happened(card.dataset.since) || (gone && !steps[target(card)].card)); // passed on
    card.classList.toggle('gone', gone);
    card.classList.toggle('may', own && may.includes(card.dataset.code));
  });
}
function renderTrick(step) {
  const trick = step.card ? steps.slice(0, state.at + 1).filter(other => other.card && other.part === step.part) : [];
  $$('.lay').forEach(el => {
    const card = trick.find(other => other.seat === Number(el.dataset.seat));
    el.dataset.pos = place(Number(el.dataset.seat));
    el.hidden = !card;
    if (!card) return;
    setFace(el, card.card.includes('?') ? 'face' : card.card);
    el.href = `#${card.id}`;
    el.setAttribute('aria-label', card.say);
    for (const [name, on] of Object.entries({ best: step.best === card.seat, now: card === step, lead: card === trick[0], broken: card.flag })) el.classList.toggle(name, Boolean(on));
  });
  $('.mid').hidden = trick.length > 0;
  text($('.mid b'), step.call || '');
  text($('.mid span'), step.call && step.seat !== undefined ? $(`.seat[data-seat="${step.seat}"]`)?.ariaLabel || '' : '');
}
function renderPoints(step) {
  $$('[data-group]').forEach((el, i) => {
    const tallies = el.dataset.group.split(' ').map(seat => step.won?.[seat] || [0, 0]);
    const [points, tricks] = [0, 1].map(k => tallies.reduce((sum, tally) => sum + tally[k], 0));
    const bars = $$('.race rect:not(.bg)');
    text($('b', el), String(points));
    text($('small', el), tricks === 1 ? el.dataset.one : el.dataset.many.replace('{count}', tricks));
    bars[i].setAttribute('width', points);
    if (bars[i].hasAttribute('x')) bars[i].setAttribute('x', bars[i].ownerSVGElement.viewBox.baseVal.width - points);
  });
  text($('#factor'), step.factor ? `× ${step.factor}` : '');
  const trumps = $$('.trumps a');
  trumps.forEach(el => el.classList.toggle('gone', el.hash !== '' && target(el) <= state.at));
  if (trumps.length) text($('#trumps'), $('#trumps').dataset.text.replace('{count}', trumps.filter(el => !el.classList.contains('gone')).length).replace('{total}', trumps.length));
}
function renderBar(step) {
  $$('.seg').forEach((seg, i) => {
    const inside = steps.filter(other => other.part === parts[i]).map(other => index.get(other.id));
    current(seg, parts[i] === step.part);
    seg.classList.toggle('done', inside.at(-1) <= state.at);
    $$('.ticks i', seg).forEach((tick, k) => { tick.classList.toggle('on', inside[k] <= state.at); tick.classList.toggle('at', inside[k] === state.at); });
  });
  $$('.proto a').forEach(el => { current(el, target(el) === state.at); el.classList.toggle('later', target(el) > state.at); });
  $$('.proto tbody tr').forEach(row => row.classList.toggle('done', $$('a', row).every(el => target(el) <= state.at)));
}
function render() {
  const step = steps[state.at];
  document.body.classList.toggle('closed', !state.open);
  $$('.seat').forEach(el => renderSeat(el, step));
  $$('.pile').forEach(el => renderFan(el, state.open, []));
  renderTrick(step);
  renderPoints(step);
  renderBar(step);
  const secret = !state.open && $$('.mark[data-secret]').some(mark => mark.hidden);
  $$('span[data-secret]:not(.mark), b[data-secret]').forEach(el => { el.dataset.name ??= el.textContent; text(el, secret ? '?' : el.dataset.name); });
  text($('.say .what'), step.say);
  text($('.say .next'), step.next || '');
  $('#hands').setAttribute('aria-pressed', String(!state.open));
}
function paint() { // the faces of the pack, and the small signs of the lists
  $$('.fan .card, .nw .card').forEach(el => setFace(el, el.dataset.code.includes('?') ? 'face' : el.dataset.code));
  $$('.sign').forEach(el => setFace(el, $('use', el).getAttribute('href').split('#')[1]));
  $$('[data-rank]').forEach(el => text(el, (state.pack === 'french' && FRENCH[el.dataset.rank]) || el.dataset.rank.replace('Z', '10')));
}

function address() {
  const query = new URLSearchParams();
  if (state.seat !== first) query.set('seat', state.seat + 1);
  if (!state.open) query.set('open', 0);
  if (state.pack !== pack) query.set('cards', state.pack);
  return `${location.pathname}${query.size ? `?${query}` : ''}#${steps[state.at].id}`;
}
function go(i, remember = false) {
  state.at = Math.max(0, Math.min(steps.length - 1, i));
  history[remember ? 'pushState' : 'replaceState'](null, '', address());
  render();
}
function play(on) {
  clearTimeout(state.timer);
  state.timer = 0;
  const button = $('#play');
  button.classList.toggle('playing', on);
  button.setAttribute('aria-label', on ? button.dataset.pause : button.dataset.play);
  if (!on) return;
  if (state.at === steps.length - 1) go(0);
  state.timer = setTimeout(() => {
    go(state.at + 1);
    play(state.at < steps.length - 1 && !steps[state.at].flag);
  }, steps[state.at].take ? 1900 : 900);
}
function trick(n) { // the segment n, counted from 0, the start
  const part = parts[Math.max(0, Math.min(parts.length - 1, n))];
  go(steps.findIndex(step => step.part === part), true);
}
const partNow = () => parts.indexOf(steps[state.at].part);
const atHead = () => state.at === steps.findIndex(step => step.part === steps[state.at].part);
const actions = {
  back: () => go(state.at - 1), step: () => go(state.at + 1),
  trickBack: () => trick(partNow() - (atHead() ? 1 : 0)), trickOn: () => trick(partNow() + 1),
  home: () => go(0, true), end: () => go(steps.length - 1, true), play: () => play(!state.timer),
  finding: () => {
    const found = steps.flatMap((step, i) => step.flag ? [i] : []);
    if (found.length) go(found.find(i => i > state.at) ?? found[0], true);
  },
  nextDeal: () => $('a[rel=next]')?.click(), lastDeal: () => $('a[rel=prev]')?.click(),
  turn: () => { state.seat = seats[(seats.indexOf(state.seat) + 1) % seats.length] ?? state.seat; go(state.at, true); },
  hands: () => { state.open = !state.open; go(state.at, true); },
  faces: () => { state.pack = PACKS[(PACKS.indexOf(state.pack) + 1) % PACKS.length]; paint(); go(state.at); },
  settle: () => { $('#settlement').scrollIntoView(); $('#settlement').focus({ preventScroll: true }); },
  help: () => $('#help').showModal(),
};
const KEYS = {
  ArrowLeft: 'back', k: 'back', ArrowRight: 'step', j: 'step', '[': 'trickBack', PageUp: 'trickBack', ']': 'trickOn', PageDown: 'trickOn',
  Home: 'home', End: 'end', ' ': 'play', b: 'finding', n: 'nextDeal', p: 'lastDeal', f: 'turn', h: 'hands', c: 'faces', s: 'settle', '?': 'help',
};
function act(name) {
  if (name !== 'play') play(false);
  actions[name]();
}
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('dialog[open]') || event.target.matches('input, textarea, select')) return;
  if (event.key === ' ' && event.target.matches('button, summary')) return;
  const number = /^\d$/.test(event.key);
  if (!number && !KEYS[event.key]) return;
  event.preventDefault();
  if (number) { play(false); trick(Number(event.key)); } else act(KEYS[event.key]);
});
addEventListener('click', event => {
  const button = event.target.closest('[data-do]');
  const link = event.target.closest('a[href^="#"]');
  if (button) act(button.dataset.do);
  else if (link && index.has(link.hash.slice(1))) { event.preventDefault(); play(false); go(target(link), true); }
});
let touched = 0;
$('.felt').addEventListener('touchstart', event => { touched = event.changedTouches[0].clientX; }, { passive: true });
$('.felt').addEventListener('touchend', event => {
  const moved = event.changedTouches[0].clientX - touched;
  if (Math.abs(moved) > 40) act(moved < 0 ? 'step' : 'back');
});

function read() { // link, reload and back button
  const query = new URLSearchParams(location.search);
  const seat = Number(query.get('seat')) - 1;
  state.seat = seats.includes(seat) ? seat : first;
  state.open = query.get('open') !== '0';
  state.pack = PACKS.includes(query.get('cards')) ? query.get('cards') : pack;
  state.at = index.get(location.hash.slice(1)) ?? 0;
  paint();
  render();
}
addEventListener('popstate', read);
addEventListener('hashchange', read);
// Without this script a step's id is a place in the list; with it the table shows the step, and the page must not jump.
$$('.proto [id]').forEach(el => el.removeAttribute('id'));
const top = () => { if (index.has(location.hash.slice(1))) scrollTo(0, 0); };
addEventListener('load', () => { top(); setTimeout(top); });
read();
top();
