// The cards of a deal are tapped, hands or tricks. They stand as text in the form; whose turn it is and what may be
// played, the server says. Without a network everything can be tapped, and is judged when it is sent.
const form = document.getElementById('deal'), box = document.getElementById('cards'), play = document.getElementById('play');
const buttons = Array.from(box.querySelectorAll('[data-of]')), cards = Array.from(box.querySelectorAll('[data-code]'));
const rest = box.querySelector('[data-do=rest]'), field = name => form.elements[name];
const aside = ['turned', 'talon'].filter(name => form.elements[name]);
const seats = buttons.map(each => each.dataset.of).filter(each => each !== 'tricks' && !aside.includes(each));
const HAND = Number(box.dataset.hand), ROOM = { turned: 1, talon: Number(box.dataset.talon) };
const room = of => ROOM[of] ?? HAND, named = of => (aside.includes(of) ? of : `hand${of}`);
let of = 'tricks', size = Number(box.dataset.trick), said = {}, asked = 0;

const hand = of => field(named(of)).value.split(/\s+/).filter(Boolean);
const tricks = () => field('tricks').value.split('\n').map(line => line.split(/\s+/).filter(Boolean)).filter(line => line.length);
const playing = () => seats.filter(seat => !document.querySelector(`#strip .out[data-seat="${seat}"]`));

function write(name, value) {
  field(name).value = value;
  form.dispatchEvent(new Event('change', { bubbles: true }));
}
function tap(code) {
  if (of === 'tricks') {
    const there = tricks();
    if (there.length && there.at(-1).length < size) there.at(-1).push(code);
    else there.push([code]);
    write('tricks', there.map(line => line.join(' ')).join('\n'));
    return;
  }
  const own = hand(of), at = own.indexOf(code);
  if (at >= 0) own.splice(at, 1);
  else if (own.length < room(of)) own.push(code);
  const whose = of;
  if (at < 0 && aside.includes(whose) && own.length === room(whose)) of = 'tricks';
  else if (at < 0 && own.length === HAND) {
    const order = playing(), from = order.indexOf(whose) + 1;
    of = [...order.slice(from), ...order.slice(0, from)].find(seat => seat !== whose && hand(seat).length < HAND) ?? 'tricks';
  }
  write(named(whose), own.join(' '));
}
const acts = () => (field('events')?.value ?? '').split('\n').filter(Boolean);
// The place of the next card: 2.1.
function place() {
  const there = tricks(), last = there.at(-1)?.length ?? size;
  return last < size ? `${there.length}.${last + 1}` : `${there.length + 1}.1`;
}
function back() {
  const there = tricks(), done = acts();
  if (done.at(-1)?.startsWith(`@${place()} `)) {
    write('events', done.slice(0, -1).join('\n'));
    return;
  }
  if (!there.length) return;
  there.at(-1).pop();
  write('tricks', there.filter(line => line.length).map(line => line.join(' ')).join('\n'));
}
function giveRest() {
  const held = new Set(seats.flatMap(hand)), whose = of;
  of = 'tricks';
  write(`hand${whose}`, [...hand(whose), ...cards.map(each => each.dataset.code).filter(code => !held.has(code))].join(' '));
}
box.addEventListener('click', event => {
  const button = event.target.closest('button[type=button]');
  if (!button) return;
  if (button.dataset.code) tap(button.dataset.code);
  else if (button.dataset.act) write('events', [...acts(), button.dataset.act].join('\n'));
  else if (button.dataset.do === 'back') back();
  else if (button.dataset.do === 'rest') giveRest();
  else { of = button.dataset.of; show(); }
});

function show() {
  const laid = tricks().flat(), held = new Map([...seats, ...aside].flatMap(of => hand(of).map(code => [code, of])));
  const lit = of === 'tricks' && said.playable ? new Set(said.playable) : null;
  for (const each of cards) {
    const code = each.dataset.code, owner = held.get(code);
    const gone = of === 'tricks' ? laid.includes(code) : owner !== undefined && owner !== of;
    each.disabled = gone;
    each.classList.toggle('may', Boolean(lit?.has(code)));
    each.setAttribute('aria-pressed', String(of !== 'tricks' && owner === of));
  }
  box.querySelector('.pack').classList.toggle('lit', Boolean(lit));
  for (const each of buttons) {
    each.setAttribute('aria-pressed', String(each.dataset.of === of));
    if (each.dataset.of !== 'tricks') each.querySelector('small').textContent = hand(each.dataset.of).length || '';
  }
  const left = playing().filter(seat => hand(seat).length < HAND);
  rest.hidden = !(seats.includes(of) && left.length === 1 && left[0] === of && held.size >= cards.length - HAND);
  if (!rest.hidden) rest.textContent = box.dataset.rest.replace('{name}', buttons.find(each => each.dataset.of === of).querySelector('bdi').textContent);
  box.querySelector('[data-do=back]').hidden = of !== 'tricks' || !(laid.length || acts().length);
}
const isBegun = () => field('tricks').value || [...seats, ...aside].some(of => hand(of).length);
async function ask() {
  const turn = ++asked, there = isBegun();
  said = {};
  for (const each of play.querySelectorAll('[data-act]')) each.disabled = true; // what was open before this tap
  if (box.open && (there || form.querySelector('input[name=game]:checked'))) {
    const answer = await fetch(form.dataset.cards, { method: 'POST', body: new URLSearchParams(new FormData(form)), headers: { Accept: 'application/json', 'X-CSRF-Token': form.dataset.csrf } }).catch(() => null);
    if (turn !== asked) return;
    if (answer?.ok) said = await answer.json();
    if (turn !== asked) return;
    size = said.size ?? size;
  }
  play.innerHTML = said.html ?? '';
  const before = 'whole' in form.dataset;
  if (said.whole) form.dataset.whole = '';
  else delete form.dataset.whole;
  box.querySelector('.by-cards').hidden = !said.whole;
  show();
  if (before !== Boolean(said.whole)) form.dispatchEvent(new Event('change', { bubbles: true }));
}
form.addEventListener('change', () => { show(); ask(); });
form.addEventListener('cleared', () => { of = 'tricks'; box.open = 'always' in box.dataset; show(); ask(); });
box.addEventListener('toggle', ask);
if (isBegun()) box.open = true;
show();
ask();
