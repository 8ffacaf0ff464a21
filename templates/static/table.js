// Draws a state of a replay: the table, the step bar, what stands beside it. It changes the page and nothing else.

const $ = (query, root = document) => root.querySelector(query);
const $$ = (query, root = document) => [...root.querySelectorAll(query)];
const text = (el, value) => { if (el.textContent !== value) el.textContent = value; };
const set = (el, name, value) => { if (el.getAttribute(name) !== value) value === null ? el.removeAttribute(name) : el.setAttribute(name, value); };
const flags = (el, classes) => { for (const [name, on] of Object.entries(classes)) el.classList.toggle(name, Boolean(on)); };
const face = code => code.includes('?') ? 'face' : code;
function setFace(el, code) {
  const use = $('use', el);
  set(use, 'href', use.getAttribute('href').replace(/#.*/, `#${face(code)}`));
}
// A thing that is a link to the move `to`, or a picture where there is none to lead to.
function setLink(el, to, label) {
  set(el, 'href', to ? `#${to}` : null);
  set(el, 'role', to ? null : 'img');
  set(el, 'aria-label', label);
}

// A sentence, the cards that it names drawn: parts are words, or a code with the rank on its faces and its name.
function drawWords(el, parts) {
  el.replaceChildren(...parts.map(part => {
    if (typeof part === 'string') return part;
    const [code, rank, name] = part;
    const card = $('#in-text').content.firstElementChild.cloneNode(true);
    setFace(card, code[0]);
    set(card, 'aria-label', name);
    text($('.vh', card), `${name.split('-')[0]}-`);
    card.append(rank);
    return card;
  }));
}

// Motion at the table: a card goes from its hand to its place, a trick to who takes it. It is seen once and holds up nothing.
const TIME = { duration: 150, easing: 'ease-out' };
export const still = matchMedia('(prefers-reduced-motion: reduce)');
const shift = (from, to) => `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
const box = el => (el.querySelector('svg') ?? el).getBoundingClientRect();

// Before a draw of the next move: what is to move. After it, calling what is returned lets it move.
function motion({ from, lay, taken, taker, trick }) {
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

// The function that draws a state of machine `m`, whose page and JSON `data` are on the document.
export function drawing(m, data) {
  const { seats, around, due } = data;
  const { steps, parts, index } = m;
  const felt = $('.felt.js');
  const at = id => index.get(id) ?? Infinity;
  const place = (state, seat) => around[(seats.indexOf(seat) - seats.indexOf(state.seat) + seats.length) % seats.length];
  const cardsOf = (root, query = '.fan .card') => $$(query, root).map(el => ({
    el, code: el.dataset.code, name: el.ariaLabel, from: el.dataset.since ? at(el.dataset.since) : 0,
    opened: el.dataset.opened, shown: el.dataset.shown, unseen: 'unseen' in el.dataset, until: el.dataset.until ?? '', gone: at(el.dataset.until), played: Boolean(steps[index.get(el.dataset.until)]?.card),
  }));
  const hands = $$('.seat', felt).map(el => ({
    el, seat: Number(el.dataset.seat), opened: el.dataset.opened, won: $('.won', el), cards: cardsOf(el), packet: cardsOf(el, '.packet .card'),
    marks: $$('.mark', el).map(mark => ({ el: mark, since: mark.dataset.since, secret: 'secret' in mark.dataset })),
  }));
  const pile = cardsOf($('.pile', felt) ?? document.createElement('i'));
  const talon = { el: $('.talon', felt), cards: cardsOf(felt, '.talon .card') };
  const lays = $$('.lay', felt).map(el => ({ el, seat: Number(el.dataset.seat) }));
  const segments = $$('.seg').map((el, i) => ({
    el, part: parts[i], ticks: $$('.ticks i', el), inside: steps.flatMap((step, k) => step.part === parts[i] ? [k] : []),
  }));
  const links = $$('.proto a').map(el => ({ el, to: at(el.hash.slice(1)), words: $('span', el.closest('.ev') ? el : document.createElement('i')) }));
  const rows = $$('.proto tbody tr').map(el => ({ el, last: Math.max(...$$('a', el).map(a => at(a.hash.slice(1)))) }));
  const trumps = $$('.trumps a').map(el => ({ el, at: at(el.hash.slice(1)), to: el.hash.slice(1), owner: $('small', el), data: el.dataset }));
  const groups = $$('[data-group]').map(el => ({ el, seats: el.dataset.group.split(' ') }));
  const bars = $$('rect[data-of]').map(el => ({ el, seats: el.dataset.of.split(' '), right: el.hasAttribute('x') && el.ownerSVGElement.viewBox.baseVal.width }));
  const secrets = $$('b[data-secret]').map(el => ({ el, nodes: [...el.childNodes], unknown: false }));

  const openedBy = seat => hands.find(hand => hand.seat === seat)?.opened;
  const tally = (step, who) => who.reduce(([points, tricks], seat) => {
    const [more, taken] = step.won?.[seat] ?? [0, 0];
    return [points + more, tricks + taken];
  }, [0, 0]);

  function drawCards(state, cards, own, may) {
    const over = m.isOver(state); // every hand as it was dealt, or as it was kept
    const dealt = over && !data.kept;
    for (const { el, code, name, from, until, gone, played, opened, shown, unseen } of cards) {
      const left = gone <= state.at;
      // What lies on the table all see, or nobody; a card passed face down is not looked at.
      const seen = opened ? at(opened) <= state.at : own && (!unseen || state.open) || Boolean(shown) && at(shown) <= state.at;
      const faceUp = over ? own : seen;
      const playable = faceUp && may.includes(code);
      flags(el, { back: !faceUp, away: dealt ? from > 0 : from > state.at || (left && !played), gone: left && !dealt, may: playable });
      setFace(el, faceUp ? code : 'face');
      setLink(el, faceUp ? until : '', faceUp ? name + (playable ? `, ${felt.dataset.may}` : '') : felt.dataset.hidden);
      set(el, 'aria-hidden', left && !dealt ? 'true' : null);
    }
  }
  function drawHand(state, step, { el, seat, opened, won, cards, packet, marks }) {
    const own = m.sees(state, seat, opened) || m.isOver(state);
    const [points, tricks] = tally(step, [seat]);
    el.dataset.pos = place(state, seat);
    el.classList.toggle('next', step.turn === seat);
    text(won, tricks ? felt.dataset[tricks === 1 ? 'one' : 'won'].replace('{points}', points).replace('{tricks}', tricks) : '');
    for (const mark of marks) mark.el.hidden = !m.happened(state, mark.since) && !(mark.secret && own && m.happened(state, 'g'));
    drawCards(state, cards, own, step.turn === seat && step.may || []);
    drawCards(state, packet, m.isOver(state), []);
  }
  function drawTrick(state, step) {
    const trick = step.card ? steps.slice(0, state.at + 1).filter(other => other.card && other.part === step.part) : [];
    for (const { el, seat } of lays) {
      const card = trick.find(other => other.seat === seat);
      el.dataset.pos = place(state, seat);
      el.hidden = !card;
      if (!card) continue;
      setFace(el, card.card);
      setLink(el, card.id, m.told(state, card));
      flags(el, { best: step.best === seat, now: card === step, lead: card === trick[0], broken: m.flagged(state, card) });
    }
    $('.mid', felt).hidden = trick.length > 0;
    text($('.mid b', felt), step.call ?? '');
    text($('.mid > span', felt), step.call && step.seat !== undefined ? $(`.seat[data-seat="${step.seat}"]`)?.ariaLabel ?? '' : '');
    drawPassed(m.knows(state, step), step.passed ?? []);
  }
  function drawTalon(state) { // nobody has seen what is covered there
    if (!talon.el) return;
    drawCards(state, talon.cards, m.isOver(state), []);
    const over = m.isOver(state); // there it is as it was dealt
    text($('span b', talon.el), over ? '' : String(talon.cards.filter(card => card.from <= state.at && card.gone > state.at).length));
    talon.el.classList.toggle('closed', !over && talon.el.dataset.closed !== undefined && m.happened(state, talon.el.dataset.closed));
  }
  const heaps = $$('.heap', felt);
  function drawHeaps(step) { // of each the card on top, and how many lie there
    heaps.forEach((el, i) => {
      const [code, count] = step.heaps?.[i] ?? ['', 0];
      const shown = code && code !== 'back' ? code : 'face';
      flags(el, { vacant: !code, back: code === 'back', now: Boolean(step.heaps) && steps[steps.indexOf(step) - 1]?.heaps?.[i]?.[1] < count });
      setFace(el, shown);
      text($('b', el), String(count));
      set(el, 'aria-label', `${el.dataset.name}: ${code && code !== 'back' ? `${code}, ` : ''}${count}`);
    });
  }
  function drawPassed(seen, codes) { // the cards that change hands
    const box = $('.passed', felt);
    const cards = $$('.card', box);
    while (cards.length < codes.length) cards.push(box.appendChild($('template', box).content.firstElementChild.cloneNode(true)));
    cards.forEach((el, i) => {
      el.hidden = i >= codes.length;
      if (el.hidden) return;
      const name = $(`.fan .card[data-code="${codes[i]}"]`) && hands.flatMap(hand => hand.cards).concat(pile).find(card => card.code === codes[i])?.name;
      setFace(el, seen ? codes[i] : 'face');
      el.classList.toggle('back', !seen);
      set(el, 'aria-label', seen ? name ?? codes[i] : felt.dataset.hidden);
    });
  }
  function drawPoints(step) {
    for (const { el, seats: who } of groups) {
      const [points, tricks] = tally(step, who);
      text($('b', el), String(points));
      text($('small', el), tricks === 1 ? el.dataset.one : el.dataset.many.replace('{count}', tricks));
    }
    for (const { el, seats: who, right } of bars) {
      const [points] = tally(step, who);
      set(el, 'width', String(points));
      if (right) set(el, 'x', String(right - points));
    }
    text($('#factor'), step.factor ? `× ${step.factor}` : '');
  }
  function drawTrumps(state) {
    for (const { el, at: when, to, owner, data: { name, seat, owner: whose, initials, opened, unseen } } of trumps) {
      const gone = when <= state.at;
      const seen = whose && (gone || m.isOver(state) || (opened ? at(opened) <= state.at : unseen === undefined || state.open ? m.sees(state, Number(seat), openedBy(Number(seat))) : false));
      const label = seen ? `${name}, ${whose}` : name;
      el.classList.toggle('gone', gone);
      setLink(el, gone || state.open ? to : '', label);
      set(el, 'title', label);
      text(owner, seen ? initials : '');
    }
    const out = $('#trumps');
    if (out) text(out, out.dataset.text.replace('{count}', trumps.filter(each => each.at > state.at).length).replace('{total}', trumps.length));
  }
  function drawBar(state, step) {
    for (const { el, part, ticks, inside } of segments) {
      set(el, 'aria-current', part === step.part ? 'step' : null);
      el.classList.toggle('done', inside.at(-1) <= state.at);
      ticks.forEach((tick, k) => flags(tick, { on: inside[k] <= state.at, at: inside[k] === state.at }));
    }
    for (const { el, to, words } of links) {
      const said = m.told(state, steps[to]);
      set(el, 'aria-current', to === state.at ? 'step' : null);
      el.classList.toggle('later', to > state.at);
      words ? text(words, said) : set(el, 'aria-label', said);
    }
    for (const { el, last } of rows) el.classList.toggle('done', last <= state.at);
    const playing = $('#play');
    const speed = $('#speed');
    playing.classList.toggle('playing', state.playing);
    set(playing, 'aria-label', state.playing ? playing.dataset.pause : playing.dataset.play);
    text(speed, `${state.speed === .5 ? '½' : state.speed} ×`);
    set(speed, 'aria-label', `${speed.dataset.label} ${speed.textContent}`);
    set($('#hands'), 'aria-pressed', String(!state.open));
  }
  // What moves on the way from the state before: nothing where it is not the next move, seen the same way.
  function moving(before, state) {
    if (!before || before.at + 1 !== state.at || before.seat !== state.seat || before.open !== state.open) return () => {};
    const [last, step] = [steps[before.at], steps[state.at]];
    const hand = step.card ? hands.find(each => each.seat === step.seat) : undefined;
    return motion({
      trick: $('.trick', felt), lay: lays.find(each => each.seat === step.seat)?.el,
      from: hand && (hand.cards.find(each => each.code === step.card)?.el ?? $('.plate', hand.el)),
      taken: last.take ? lays.filter(each => !each.el.hidden).map(each => each.el) : [], taker: last.take && $(`.seat[data-seat="${last.take[0]}"] .plate`, felt),
    });
  }
  let before = null;
  return state => {
    const move = moving(before, state);
    before = state;
    const step = steps[state.at];
    const secret = m.isSecret(state);
    flags(document.body, { closed: !state.open, over: m.isOver(state), secret });
    for (const hand of hands) drawHand(state, step, hand);
    drawCards(state, pile, state.open || m.isOver(state), []);
    drawTalon(state);
    drawTrick(state, step);
    drawHeaps(step);
    drawPoints(step);
    drawTrumps(state);
    drawBar(state, step);
    for (const el of $$('.doubled [data-since]', felt)) el.hidden = !m.happened(state, el.dataset.since);
    for (const each of secrets) if (each.unknown !== secret) { each.unknown = secret; each.el.replaceChildren(...(secret ? ['?'] : each.nodes)); }
    step.drawn && m.knows(state, step) ? drawWords($('.say .what'), step.drawn) : text($('.say .what'), m.told(state, step));
    text($('.say .next'), step.turn === undefined ? '' : state.open || step.turn === state.seat ? step.next ?? '' : due[step.turn] ?? '');
    move();
  };
}
