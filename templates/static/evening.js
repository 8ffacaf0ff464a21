// A deal is tapped. What is tapped waits in the browser until the server has it: nothing is lost where there is no
// network, the page is loaded again or the phone goes out. The server knows a deal by its key and stores it once.
import { drawPrice, money, paid, reckon } from './evening-prices.js';
import { add, holds, remove, waiting } from './evening-queue.js';
import { showTaps } from './evening-thumb.js';

const form = document.getElementById('deal');
const words = form.dataset;
const here = new URL(form.action);
const evening = words.evening;
const changes = 'changes' in words;
const RETRY = 4000, BAR = 6000, TWICE = 1000; // milliseconds
const DRAFT = `evening-${evening}-draft`;
const by = (name, value) => form.querySelector(`input[name="${name}"]${value === undefined ? ':checked' : `[value="${value}"]`}`);
const text = (pattern, facts) => pattern.replace(/\{(\w+)\}/g, (_, key) => facts[key]);
document.documentElement.classList.add('scripted');

// --- the queue -----------------------------------------------------------------------------------------------------
let sending = false, offline = false, timer = 0, stuck = ''; // stuck: why what waits is not sent
let unseen = []; // deals that the server has, and the page does not show yet
const answered = new Map(); // by the moment a deal was tapped, its number in the archive, null where it is a draft
async function send() {
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  let sent = 0, why = '';
  try {
    for (let next = (await waiting(evening))[0]; next && !why; next = (await waiting(evening))[0]) {
      const answer = await post(next.to, new URLSearchParams(next.body));
      offline = !answer;
      if (!answer || answer.status >= 500 || answer.status === 429) { why = answer ? 'later' : 'waiting'; break; }
      const said = answer.headers.get('content-type')?.includes('json') ? await answer.json() : null;
      if (!said?.outcome) { why = answer.status === 404 ? 'gone' : 'signIn'; break; }
      answered.set(next.at, answer.ok ? said.deal : null); // from here on it is not counted as waiting
      if (answer.ok) unseen.push(next);
      await remove(next.at);
      sent++;
      if (!answer.ok || said.outcome === 'known') tell(said.message, answer.ok);
      if (changes && answer.ok) location.assign(form.dataset.back);
    }
  } finally {
    sending = false;
    stuck = why;
  }
  if ('moves' in words && unseen.length && !stuck) location.replace(here.pathname); // who came sits at the table now
  await tellQueue();
  if (sent) tabs?.postMessage('');
  if (sent || stuck === 'signIn') await refresh(); // with the secret of a visit that began in another tab
  if (stuck) timer = setTimeout(send, RETRY);
}
async function post(to, body) {
  try {
    return await fetch(to, { method: 'POST', body, headers: { Accept: 'application/json', 'X-CSRF-Token': form.dataset.csrf }, redirect: 'follow' });
  } catch {
    return null;
  }
}

// --- what is told of the last deal -----------------------------------------------------------------------------------
let last = null, bar = 0; // the deal that can be taken back from the bar
function tell(said, good, undo = null) {
  const note = document.getElementById('told');
  clearTimeout(bar);
  note.classList.toggle('good', good);
  note.hidden = !said;
  setTimeout(() => { note.querySelector('p').textContent = said; }); // a screen reader says what changes in sight
  last = undo;
  note.querySelector('button').hidden = !undo;
  if (said && good) bar = setTimeout(() => tell('', true), BAR);
}
// Takes back the deal that the bar tells of: out of the queue while it waits there, else by the server.
async function takeBack() {
  const undo = last;
  if (!undo) return;
  tell('', true);
  focusIn(form);
  while (sending) await new Promise(done => setTimeout(done, 50));
  const there = (await waiting(evening)).find(each => each.at === undo.at);
  if (there) return takeOut(there, undo.number);
  const deal = answered.get(undo.at);
  if (!deal) return undefined; // the server did not take it: it waits as a draft
  const answer = await post(words.acts, new URLSearchParams({ act: 'undo', deal }));
  tell(text(answer?.ok ? words.undone : words.notUndone, undo), Boolean(answer?.ok));
  return refresh();
}
document.querySelector('#told button').addEventListener('click', takeBack);

// --- what waits ------------------------------------------------------------------------------------------------------
// With the deal that was tapped just now, the bar tells of it: at once with the table, so that they have one number.
async function tellQueue(added) {
  const there = (await waiting(evening)).filter(each => !answered.has(each.at)), box = document.getElementById('queue');
  box.hidden = !there.length || !(stuck || holds()); // what is on its way waits for nothing
  const says = text(words[holds() && ['waiting', 'later'].includes(stuck) ? 'unkept' : stuck] || words.waiting, { n: there.length });
  const line = (name, content, className = '') => Object.assign(document.createElement(name), { textContent: content, className });
  const next = Number(served.strip?.dataset.number), all = [...unseen, ...there];
  const numberOf = each => (all.includes(each) ? next + all.slice(0, all.indexOf(each)).filter(isDeal).length : next - 1);
  const rows = there.map(each => {
    const row = line('li', ''), drop = Object.assign(line('button', words.drop, 'btn'), { type: 'button' });
    drop.addEventListener('click', () => takeOut(each));
    row.append(line('span', isDeal(each) ? String(numberOf(each)) : '', 'no'), line('span', `${each.text}, ${words.waits}`), drop);
    return row;
  });
  box.querySelector('h2').textContent = says;
  box.querySelector('ol').replaceChildren(...rows);
  stand(all, there.length);
  if (!added || answered.get(added.at) === null) return; // of a draft the server has told
  const number = numberOf(all.find(each => each.at === added.at));
  tell(`${text(words.number, { number })}: ${added.says}`, true, { at: added.at, number });
}
// A deal that waits is thrown away. Where the server has it all the same (its answer was lost), it stands among the last.
async function takeOut(each, number) {
  if (sending) return;
  await remove(each.at);
  if (number) tell(text(words.undone, { number }), true);
  await tellQueue();
}

// --- the page ------------------------------------------------------------------------------------------------------
const served = { strip: document.getElementById('strip')?.cloneNode(true) }; // as the server gave it, before anything was tapped or hidden
for (const name of ['game', 'who', 'with']) served[name] = form.querySelector(`fieldset.${name}`)?.outerHTML;
let prices = JSON.parse(words.prices || 'null'), moved = false; // moved: a deal that waits may let the next cost otherwise
let refreshes = 0, shown = 0;
const lost = location.search.includes('players=') && location.search.slice(1) !== words.asked; // kept without who comes, and no network
if (lost) document.getElementById('notes').append(Object.assign(document.createElement('p'), { className: 'note undecidable', textContent: words.still }));
const focusIn = (set, value) => (set.querySelector(`input[value="${value}"]:enabled`) ?? set.querySelector('input[type=radio]:enabled'))?.focus({ preventScroll: true });
async function refresh() {
  if (changes) return;
  const turn = ++refreshes, seen = unseen.length;
  try {
    const answer = await fetch('moves' in words || 'draft' in words ? location.href : here.pathname, { cache: 'no-store' });
    if (!answer.ok) return;
    if (lost) return location.reload();
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!fresh.getElementById('deal') || turn < shown) return; // one that was asked for later is there already
    if (fresh.getElementById('deal').elements.players.value !== form.elements.players.value) return location.reload();
    shown = turn;
    unseen = unseen.slice(seen);
    const names = document.querySelector('#after details[open]:has(form)'); // who comes is being written there
    for (const id of ['strip', 'notes', 'round', 'after']) document.getElementById(id).replaceWith(document.adoptNode(fresh.getElementById(id)));
    if (names) document.querySelector('#after details:has(form)')?.replaceWith(names);
    served.strip = document.getElementById('strip').cloneNode(true);
    const own = fresh.getElementById('deal');
    form.dataset.csrf = own.dataset.csrf;
    form.elements.seen.value = own.elements.seen.value;
    prices = JSON.parse(own.dataset.prices || 'null');
    for (const name of ['game', 'who', 'with']) { // a special round offers other games, others sit out
      const told = own.querySelector(`fieldset.${name}`), there = form.querySelector(`fieldset.${name}`);
      const html = told?.outerHTML;
      if (!told || by(name) || served[name] === html) continue; // what is under a thumb stays, unless it is another
      const at = there.contains(document.activeElement) ? document.activeElement.value : null;
      there.replaceWith(document.adoptNode(told));
      if (at !== null) focusIn(told, at);
      served[name] = html;
    }
    if (!own.elements.dealer) form.elements.dealer?.closest('label').remove();
    offer();
    await tellQueue();
    price();
  } catch { // no network: the page stays as it is
  }
}
// The table after the deals that the server's page does not have yet: number, dealer and totals go on as they do when
// such deals are played.
function stand(deals, count) {
  if (!served.strip) return;
  const strip = served.strip.cloneNode(true), turns = JSON.parse(words.turns), played = deals.filter(each => each.passes).length;
  moved = deals.some(each => each.moves) || (prices?.lasts !== null && played >= (prices?.lasts ?? Infinity));
  strip.querySelector('[data-now]').textContent = text(words.number, { number: Number(strip.dataset.number) + deals.filter(isDeal).length });
  for (const div of strip.querySelectorAll('[data-total]')) {
    const seat = Number(div.dataset.seat), sum = div.querySelector('dd');
    if (!deals.length) break;
    const total = deals.reduce((all, each) => all + (each.paid ? each.paid[seat] : NaN), Number(div.dataset.total));
    const known = prices && !Number.isNaN(total) && div.dataset.total !== '', open = sum.textContent.startsWith('('); // it rests on an open deal
    sum.textContent = !known ? `${sum.textContent} …` : open ? `(${money(prices, total)})` : money(prices, total);
    sum.classList.toggle('plus', total > 0);
  }
  if (strip.dataset.dealer !== '') {
    const dealer = (Number(strip.dataset.dealer) + played) % turns.length, out = turns[dealer], deals = strip.querySelector('[data-deals]');
    strip.dataset.dealer = dealer;
    if (deals) deals.textContent = text(words.dealsNow, { name: nameOf(dealer) });
    for (const div of strip.querySelectorAll('[data-seat]')) div.classList.toggle('out', out.includes(Number(div.dataset.seat)));
    for (const input of form.querySelectorAll('input[name=who], input[name=with], input[name=virgin]')) input.disabled = out.includes(Number(input.value));
    served.who = served.with = ''; // what is disabled here is not as the server gave it
  }
  if (played) form.elements.dealer?.closest('label').remove();
  if (count) {
    const chip = Object.assign(document.createElement('a'), { href: '#queue', className: 'chip', textContent: text(words.chip, { n: count }) });
    strip.querySelector('p').append(' ', chip);
  }
  document.getElementById('strip').replaceWith(strip);
}
const isDeal = entry => !entry.to.includes('/deals/'); // and no change of one
const nameOf = seat => served.strip?.querySelector(`[data-seat="${seat}"] bdi`).textContent ?? '';

// --- the choices ---------------------------------------------------------------------------------------------------
function offer() {
  const game = by('game'), has = game ? game.dataset : null;
  const fits = (list, value) => !has || (list || '').split(' ').includes(value);
  const show = (name, wanted) => {
    const set = form.querySelector(`fieldset.${name}`);
    if (set) set.hidden = set.disabled = !wanted;
  };
  show('with', !has || 'partner' in has);
  show('runners', (!has || has.runners) && !('whole' in words));
  for (const name of ['virgins', 'virgin']) show(name, has && 'virgins' in has);
  show('words', has?.words);
  for (const input of form.querySelectorAll('input[name=runners]')) input.closest('.tap').hidden = input.value !== '0' && !fits(has?.runners, input.value);
  for (const input of form.querySelectorAll('input[name=words]')) input.closest('.tap').hidden = !fits(has?.words, input.value);
  for (const name of ['runners', 'words']) for (const input of form.querySelectorAll(`input[name=${name}]:checked`)) if (input.closest('.tap').hidden) input.checked = false;
  if (form.elements.runners && !by('runners')) by('runners', '0').checked = true;
  const tout = by('words', 'tout')?.checked || by('words', 'du')?.checked;
  for (const button of form.querySelectorAll('button[name=outcome]')) {
    const value = button.value;
    if (value === 'cards') continue;
    button.hidden = value === 'points' ? has && !('points' in has) : has ? !fits(has.outcomes, value) : value === 'loser';
    if (tout && value.startsWith('won-')) button.hidden = true; // with every trick there is one way to win
  }
  const points = form.querySelector('.points');
  if (points) points.hidden = points.querySelector('button').hidden;
  const who = by('who')?.value;
  for (const input of form.querySelectorAll('input[name=with], input[name=virgin]')) {
    input.closest('.tap').hidden = input.value === who;
    if (input.value === who) input.checked = false;
  }
  countPoints();
  showTaps(form);
}
function countPoints() {
  const points = form.elements.points, button = form.querySelector('button[value=points]');
  if (!points) return;
  points.onfocus = () => points.select();
  button.textContent = button.dataset.text.replace('{n}', points.value);
  button.disabled = !/^\d+$/.test(points.value.trim()) || Number(points.value) > Number(points.dataset.most);
}
let asked = 0;
const tapped = () => {
  const said = new FormData(form), own = Object.fromEntries(said);
  return { ...own, words: said.getAll('words') };
};
// The price, from the table at once, then from the server, whose answer stands.
async function price() {
  const box = document.getElementById('price'), turn = ++asked;
  const write = (html, amounts) => {
    for (const each of form.querySelectorAll('[data-amount]')) each.textContent = amounts[each.dataset.amount] ?? '';
    box.replaceChildren(...html);
  };
  if (!by('game') || !(by('who') || 'whole' in words)) {
    write([Object.assign(document.createElement('p'), { className: 'soft', textContent: box.dataset.hint })], {});
    return;
  }
  const taps = tapped(), found = moved || taps.tricks ? null : reckon(prices, taps);
  if (found) {
    const [first] = Object.keys(found), title = [by('game').closest('.tap').dataset.title, ...taps.words.map(word => by('words', word).nextElementSibling.textContent)];
    const names = Array.from(form.querySelectorAll('fieldset.who bdi'), each => each.textContent);
    const turned = [...names.slice(Number(taps.who)), ...names.slice(0, Number(taps.who))];
    write([drawPrice(prices, title.join(' '), found[first], first === 'won' ? words.ifWon : '', turned)],
      Object.fromEntries(Object.entries(found).map(([end, each]) => [end, money(prices, each.price, false)])));
  }
  const answer = offline ? null : await post(words.price, new URLSearchParams(new FormData(form)));
  if (turn !== asked || (found && !answer?.ok)) return;
  if (!answer?.ok) { write([], {}); return; }
  const told = await answer.json();
  if (turn !== asked) return;
  const open = box.querySelector('details')?.open;
  write(document.createRange().createContextualFragment(told.html).childNodes, told.amounts);
  if (open && box.querySelector('details')) box.querySelector('details').open = true;
  form.querySelector('.anyway').hidden = !told.wrong && !form.elements.anyway.checked && !form.querySelector('.with.lacking');
}
function drafts(act) {
  try {
    return act(localStorage);
  } catch { // the browser stores nothing, or has no room: a reload begins anew
    return null;
  }
}
const drafted = () => drafts(store => store.getItem(DRAFT));
const keyed = () => Array.from(crypto.getRandomValues(new Uint8Array(9)), byte => (byte % 36).toString(36)).join('');
// The usual special round is left to the server, which knows what was stored before.
const isUsual = name => name === 'round' && !changes && by('round')?.defaultChecked;
const entries = () => Array.from(new FormData(form)).filter(([name]) => name !== 'csrf' && !isUsual(name));
const choices = () => JSON.stringify(entries().filter(([name]) => !['key', 'dealer', 'seen', 'anyway'].includes(name)));
function keep() {
  if (!changes) drafts(store => store.setItem(DRAFT, choices()));
}
function restore() {
  const taps = JSON.parse(drafted() || '[]');
  if (taps.some(([name, value]) => name === 'players' && value !== form.elements.players.value)) return; // others sit there
  for (const [name, value] of taps) {
    const input = form.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`);
    if (input && !input.disabled) input.checked = true;
    else if (['text', 'textarea'].includes(form.elements[name]?.type)) form.elements[name].value = value;
  }
}
let touched = false; // here, since the last deal
function clearForm() {
  const dealer = form.elements.dealer?.value; // after a misdeal the same one
  form.reset();
  if (dealer) form.elements.dealer.value = dealer;
  for (const input of form.querySelectorAll('.plain input, .plain textarea')) input.value = '';
  for (const input of form.querySelectorAll('input[name=who], input[name=game], input[name=with], input[type=checkbox]')) input.checked = false;
  const games = form.querySelectorAll('input[name=game]');
  if (games.length === 1) games[0].checked = true;
  for (const name of ['runners', 'virgins', 'knocks', 'doubles']) if (by(name, '0')) by(name, '0').checked = true;
  form.elements.key.value = keyed();
  touched = false;
  form.querySelector('.anyway').hidden = true;
  form.dispatchEvent(new Event('cleared'));
  offer();
  price();
}
function lacking(submitter) {
  if (submitter.name === 'game') return null;
  const has = by('game')?.dataset || {}, cards = ['cards', 'level'].includes(submitter.value);
  const wanted = [...(cards && !has.outcomes?.includes('won') ? [] : ['who']), 'game', ...('partner' in has && !cards ? ['with'] : [])];
  return wanted.map(name => form.querySelector(`fieldset.${name}`)).filter(Boolean).find(set => !set.querySelector('input:checked')) || null;
}

form.addEventListener('change', event => {
  touched = true;
  if (event.target.name === 'dealer' && served.strip) {
    served.strip.dataset.dealer = event.target.value;
    tellQueue();
  }
  for (const set of form.querySelectorAll('.lacking')) set.classList.remove('lacking');
  if (!last) tell('', true);
  offer();
  keep();
  price();
});
form.addEventListener('input', countPoints);
let submitted = {}; // the last end that was tapped, and when
form.addEventListener('submit', async event => {
  event.preventDefault();
  const submitter = event.submitter;
  if (!submitter.name) return; // Enter in a field: no end was tapped
  const set = lacking(submitter), unknown = Boolean(set?.matches('.with')); // who was partner, nobody may know any more
  if (set && !(unknown && form.elements.anyway.checked)) {
    form.querySelector('.anyway').hidden = !unknown;
    for (const each of [set, ...(set.classList.contains('with') ? [form.querySelector('fieldset.who')] : [])]) each.classList.add('lacking');
    tell(text(words.first, { what: set.querySelector('legend').textContent }), false);
    return;
  }
  const twice = submitted.value === submitter.value && event.timeStamp - submitted.at < TWICE;
  if (twice && (changes || submitter.name === 'game')) return; // of other deals nothing is chosen any more
  submitted = { value: submitter.value, at: event.timeStamp };
  const body = new URLSearchParams(entries());
  if (submitter.name === 'game') for (const name of ['game', 'who', 'with', 'outcome']) body.delete(name);
  body.set(submitter.name, submitter.value);
  const taps = { ...tapped(), ...(submitter.name === 'game' ? { game: submitter.value } : {}) };
  const passes = !changes && submitter.value !== 'misdeal', turns = JSON.parse(words.turns), dealer = document.getElementById('strip')?.dataset.dealer;
  const out = dealer ? turns[dealer] : turns[0].length ? null : [], outcome = changes || (moved && passes) ? null : paid(prices, taps, submitter.value, turns.length, out);
  const label = name => (name === 'game' ? by('game')?.closest('.tap').dataset.title : by(name)?.nextElementSibling.textContent.trim());
  const said = (submitter.name === 'game' ? [submitter.textContent] : [label('who'), label('game'), label('with'), endText(submitter)]).filter(Boolean).join(' · ').trim();
  const entry = { evening, to: here.pathname + here.search, body: body.toString(), text: said, passes, paid: outcome?.amounts ?? null, moves: outcome?.moves ?? (changes || passes) };
  const says = barText(submitter, entry, taps);
  const draft = drafted(), told = choices();
  if (!changes) clearForm(); // before anything is waited for: the next tap is of the next deal
  entry.at = await add(entry);
  tabs?.postMessage(told);
  if (drafted() === draft) drafts(store => store.removeItem(DRAFT)); // until then a reload has the deal
  if (!changes) {
    navigator.vibrate?.(15);
    await tellQueue({ at: entry.at, says });
    if (submitter.hidden) focusIn(form);
  }
  await send();
});
const endText = end => (end.value === 'points' ? text(end.dataset.said, { points: form.elements.points.value }) : (end.value === 'cards' ? document.querySelector('#cards summary') : end.firstChild).textContent.trim());
// The deal in a few words: who, with whom, what it brings; of one that nobody played, what it was.
function barText(submitter, entry, taps) {
  if (submitter.name === 'game' || taps.who === undefined) return submitter.textContent.trim();
  const pair = taps.with === undefined ? nameOf(taps.who) : text(words.and, { who: nameOf(taps.who), partner: nameOf(taps.with) });
  return [pair, entry.paid ? money(prices, entry.paid[Number(taps.who)]) : endText(submitter)].join(' ');
}
// What another page of this browser stores is no longer half typed here, and the table goes on; a draft stays.
const tabs = changes || !globalThis.BroadcastChannel ? null : new BroadcastChannel(`evening-${evening}`);
tabs?.addEventListener('message', ({ data }) => {
  if (data && !('draft' in words) && (!touched || data === choices())) clearForm();
  if (data) tellQueue();
  else refresh();
});
addEventListener('online', () => (lost ? location.reload() : send()));
addEventListener('pageshow', event => { send(); if (event.persisted) refresh(); });
document.addEventListener('visibilitychange', () => document.hidden || refresh()); // another phone may have written

// --- without a network ---------------------------------------------------------------------------------------------
navigator.serviceWorker?.register(words.worker).then(() => navigator.serviceWorker.ready).then(() => {
  if (navigator.serviceWorker.controller) return null;
  return new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
}).then(() => fetch(location.href)).then(() => document.documentElement.setAttribute('data-kept', '')).catch(() => null);

if (!changes && !('draft' in words)) restore();
if (!changes && !('draft' in words)) form.elements.key.value = keyed();
offer();
tellQueue().then(price);
send();
