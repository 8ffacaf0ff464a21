// A deal is tapped. What is tapped waits in the browser until the server has it: nothing is lost where there is no
// network, the page is loaded again or the phone goes out. The server knows a deal by its key and stores it once.
const form = document.getElementById('deal');
const words = form.dataset;
const here = new URL(form.action);
const evening = words.evening;
const changes = 'changes' in words;
const RETRY = 4000; // milliseconds
const DRAFT = `evening-${evening}-draft`;
const by = (name, value) => form.querySelector(`input[name="${name}"]${value === undefined ? ':checked' : `[value="${value}"]`}`);
document.documentElement.classList.add('scripted');

// --- the queue -----------------------------------------------------------------------------------------------------
const opened = new Promise((done, failed) => {
  const asked = indexedDB.open('schafkopf-evenings', 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore('queue', { keyPath: 'at', autoIncrement: true });
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
});
async function queue(mode, act) {
  const db = await opened;
  return new Promise((done, failed) => {
    const work = db.transaction('queue', mode, { durability: 'strict' });
    const asked = act(work.objectStore('queue'));
    work.oncomplete = () => done(asked.result);
    work.onerror = work.onabort = () => failed(work.error);
  });
}
const waiting = async () => (await queue('readonly', store => store.getAll())).filter(each => each.evening === evening);

let sending = false, offline = false, timer = 0;
async function send() {
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  let sent = 0, stuck = '';
  try {
    for (let next = (await waiting())[0]; next && !stuck; next = (await waiting())[0]) {
      const answer = await post(next.to, new URLSearchParams(next.body));
      offline = !answer;
      if (!answer || answer.status >= 500 || answer.status === 429) { stuck = 'waiting'; break; }
      const said = answer.headers.get('content-type')?.includes('json') ? await answer.json() : null;
      if (!said?.outcome) { stuck = 'signIn'; break; }
      await queue('readwrite', store => store.delete(next.at));
      sent++;
      tell(said.message, answer.ok);
      if (changes && answer.ok) location.assign(form.dataset.back);
    }
  } finally {
    sending = false;
  }
  await tellQueue(stuck);
  if (sent) await refresh();
  if (stuck) timer = setTimeout(send, RETRY);
}
async function post(to, body) {
  try {
    return await fetch(to, { method: 'POST', body, headers: { Accept: 'application/json', 'X-CSRF-Token': form.dataset.csrf }, redirect: 'follow' });
  } catch {
    return null;
  }
}
function tell(text, good) {
  const note = document.getElementById('told');
  note.textContent = text;
  note.classList.toggle('good', good);
  note.hidden = !text;
}
async function tellQueue(stuck) {
  const there = await waiting(), note = document.getElementById('queue');
  note.hidden = !there.length;
  const text = (stuck === 'signIn' ? words.signIn : words.waiting).replace('{n}', there.length);
  const line = content => Object.assign(document.createElement('span'), { textContent: content });
  const rows = there.map(each => {
    const row = line(each.text), drop = Object.assign(document.createElement('button'), { type: 'button', className: 'btn', textContent: words.drop });
    drop.addEventListener('click', () => takeOut(each));
    row.append(drop);
    return row;
  });
  note.querySelector('summary').textContent = text;
  note.querySelector('div').replaceChildren(...rows, line(words.how));
}

// A deal that waits is thrown away. Where the server has it all the same (its answer was lost), it stands among the last.
async function takeOut(each) {
  if (sending) return;
  await queue('readwrite', store => store.delete(each.at));
  if (!each.body.includes('game=misdeal')) passOn(-1);
  await tellQueue('');
}

// --- the page ------------------------------------------------------------------------------------------------------
const served = {}; // choices as the server gave them, before anything was tapped or hidden
for (const name of ['game', 'who', 'with']) served[name] = form.querySelector(`fieldset.${name}`)?.outerHTML;
let refreshes = 0, shown = 0;
async function refresh() {
  if (changes) return;
  const turn = ++refreshes;
  try {
    const answer = await fetch(location.href, { cache: 'no-store' });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!fresh.getElementById('deal') || turn < shown) return; // one that was asked for later is there already
    shown = turn;
    for (const id of ['strip', 'notes', 'round', 'after']) document.getElementById(id).replaceWith(document.adoptNode(fresh.getElementById(id)));
    const own = fresh.getElementById('deal');
    form.dataset.csrf = own.dataset.csrf;
    for (const name of ['game', 'who', 'with']) { // a special round offers other games, others sit out
      const told = own.querySelector(`fieldset.${name}`), there = form.querySelector(`fieldset.${name}`);
      const text = told?.outerHTML;
      if (!told || by(name) || served[name] === text) continue; // what is under a thumb stays, unless it is another
      there.replaceWith(document.adoptNode(told));
      served[name] = text;
    }
    if (!own.elements.dealer) form.elements.dealer?.closest('label').remove();
    offer();
  } catch { // no network: the page stays as it is
  }
}
// Where the server does not answer, the turn goes round as it does when a deal is played.
function passOn(step = 1) {
  const strip = document.getElementById('strip'), turns = JSON.parse(words.turns);
  if (strip.dataset.dealer === '') return;
  const dealer = (Number(strip.dataset.dealer) + step + turns.length) % turns.length, out = turns[dealer];
  strip.dataset.dealer = dealer;
  served.who = served.with = ''; // what is disabled here is not as the server gave it
  const name = strip.querySelector(`[data-seat="${dealer}"] bdi`).textContent;
  strip.querySelector('[data-deals]').textContent = words.dealsNow.replace('{name}', name);
  for (const div of strip.querySelectorAll('[data-seat]')) div.classList.toggle('out', out.includes(Number(div.dataset.seat)));
  for (const input of form.querySelectorAll('input[name=who], input[name=with]')) input.disabled = out.includes(Number(input.value));
  form.elements.dealer?.closest('label').remove();
}

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
  show('virgins', has && 'virgins' in has);
  show('words', !has || has.words);
  for (const input of form.querySelectorAll('input[name=runners]')) input.closest('.tap').hidden = input.value !== '0' && !fits(has?.runners, input.value);
  for (const input of form.querySelectorAll('input[name=words]')) input.closest('.tap').hidden = !fits(has?.words, input.value);
  for (const name of ['runners', 'words']) for (const input of form.querySelectorAll(`input[name=${name}]:checked`)) if (input.closest('.tap').hidden) input.checked = false;
  if (form.elements.runners && !by('runners')) by('runners', '0').checked = true;
  for (const button of form.querySelectorAll('button[name=outcome]')) {
    const value = button.value;
    if (value === 'cards') continue;
    button.hidden = value === 'points' ? has && !has.outcomes.includes('schneider') : has ? !fits(has.outcomes, value) : value === 'loser';
  }
  const points = form.querySelector('.points');
  if (points) points.hidden = points.querySelector('button').hidden;
  const who = by('who')?.value;
  for (const input of form.querySelectorAll('input[name=with]')) {
    input.closest('.tap').hidden = input.value === who;
    if (input.value === who) input.checked = false;
  }
  countPoints();
}
function countPoints() {
  const range = form.elements.points, button = form.querySelector('button[value=points]');
  if (!range) return;
  form.querySelector('.points output').textContent = range.value;
  button.textContent = button.dataset.text.replace('{n}', range.value);
}
let asked = 0;
async function price() {
  const box = document.getElementById('price'), turn = ++asked;
  const clear = () => {
    for (const each of form.querySelectorAll('[data-amount]')) each.textContent = '';
  };
  if (!by('game') || !(by('who') || 'whole' in words)) { clear(); box.replaceChildren(); return; }
  const answer = offline ? null : await post(words.price, new URLSearchParams(new FormData(form)));
  if (turn !== asked) return;
  clear();
  if (!answer?.ok) { box.replaceChildren(); return; }
  const told = await answer.json();
  if (turn !== asked) return;
  box.innerHTML = told.html;
  form.querySelector('.anyway').hidden = !told.wrong;
  for (const [outcome, amount] of Object.entries(told.amounts)) form.querySelector(`[data-amount="${outcome}"]`)?.append(amount);
}
const keyed = () => Array.from(crypto.getRandomValues(new Uint8Array(9)), byte => (byte % 36).toString(36)).join('');
// The usual special round is left to the server, which knows what was stored before.
const isUsual = name => name === 'round' && !changes && by('round')?.defaultChecked;
const entries = () => Array.from(new FormData(form)).filter(([name]) => name !== 'csrf' && !isUsual(name));
function keep() {
  if (changes) return;
  localStorage.setItem(DRAFT, JSON.stringify(entries().filter(([name]) => !['key', 'dealer'].includes(name))));
}
function restore() {
  for (const [name, value] of JSON.parse(localStorage.getItem(DRAFT) || '[]')) {
    const input = form.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`);
    if (input && !input.disabled) input.checked = true;
    else if (['range', 'text', 'textarea'].includes(form.elements[name]?.type)) form.elements[name].value = value;
  }
}
function clearForm() {
  form.reset();
  for (const input of form.querySelectorAll('.plain input, .plain textarea')) input.value = '';
  for (const input of form.querySelectorAll('input[name=who], input[name=game], input[name=with], input[name=words]')) input.checked = false;
  const games = form.querySelectorAll('input[name=game]');
  if (games.length === 1) games[0].checked = true;
  for (const name of ['runners', 'virgins', 'knocks', 'doubles']) if (by(name, '0')) by(name, '0').checked = true;
  form.elements.key.value = keyed();
  form.querySelector('.anyway').hidden = true;
  form.dispatchEvent(new Event('cleared'));
  offer();
  price();
}
function lacking(submitter) {
  if (submitter.name === 'game') return null;
  const has = by('game')?.dataset || {}, cards = submitter.value === 'cards';
  const wanted = [...(cards && !has.outcomes?.includes('won') ? [] : ['who']), 'game', ...('partner' in has && !cards ? ['with'] : [])];
  return wanted.map(name => form.querySelector(`fieldset.${name}`)).filter(Boolean).find(set => !set.querySelector('input:checked')) || null;
}

form.addEventListener('change', () => {
  for (const set of form.querySelectorAll('.lacking')) set.classList.remove('lacking');
  offer();
  keep();
  price();
});
form.addEventListener('input', countPoints);
form.addEventListener('submit', async event => {
  event.preventDefault();
  const submitter = event.submitter, set = lacking(submitter);
  if (set) {
    set.classList.add('lacking');
    tell(words.first.replace('{what}', set.querySelector('legend').textContent), false);
    set.scrollIntoView({ block: 'center' });
    return;
  }
  const body = new URLSearchParams(entries());
  if (submitter.name === 'game') for (const name of ['game', 'who', 'with', 'outcome']) body.delete(name);
  body.set(submitter.name, submitter.value);
  const label = name => by(name)?.nextElementSibling.textContent.trim();
  const text = (submitter.name === 'game' ? [submitter.textContent] : [label('who'), label('game'), label('with'), submitter.firstChild.textContent]).filter(Boolean).join(' · ').trim();
  const draft = localStorage.getItem(DRAFT);
  if (!changes) {
    clearForm(); // before anything is waited for: the next tap is of the next deal
    scrollTo(0, 0); // to the totals and the next deal
  }
  try {
    await queue('readwrite', store => store.add({ evening, to: here.pathname + here.search, body: body.toString(), text }));
  } catch (error) { // no room in the browser: the deal is there again
    restore();
    offer();
    throw error;
  }
  if (localStorage.getItem(DRAFT) === draft) localStorage.removeItem(DRAFT); // until then a reload has the deal
  tell('', true);
  await send();
  if (offline && submitter.value !== 'misdeal') passOn();
});
addEventListener('online', send);
addEventListener('pageshow', send);

// --- without a network ---------------------------------------------------------------------------------------------
navigator.serviceWorker?.register(words.worker).then(() => navigator.serviceWorker.ready).then(() => {
  if (navigator.serviceWorker.controller) return null;
  return new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
}).then(() => fetch(location.href)).then(() => document.documentElement.setAttribute('data-kept', '')).catch(() => null);

if (!changes && !('draft' in words)) restore();
if (!changes && !('draft' in words)) form.elements.key.value = keyed();
offer();
price();
tellQueue('');
send();
