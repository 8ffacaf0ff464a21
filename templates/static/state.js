// The state of a replay: the moment, the seat it is seen from, the hands open or not, playing and how fast.
// It knows no page and no rule of the game: everything follows from the JSON of the deal and the state before.
export const SPEEDS = [0.5, 1, 2, 4];
const PAUSE = { card: 900, trick: 2200 }; // milliseconds before the next move at speed 1: after a card, after a trick
const RECORD = 40; // no place of a page has a name that long: it is a record in the address
const SHIFT = { back: -1, step: 1 };
export const JUMPS = new Set(['home', 'end', 'trickBack', 'trickOn', 'trick', 'finding', 'go', 'turn', 'hands']); // ways that the back button goes back

// A machine of one deal: `{ seat, seats, steps, secret }` as `archive.web.view` tells them.
export function machine({ seat: first, seats, steps, secret }) {
  const index = new Map(steps.map((step, i) => [step.id, i]));
  const parts = [...new Set(steps.map(step => step.part))];
  const last = steps.length - 1;
  const head = part => steps.findIndex(step => step.part === part);
  const happened = (state, id) => !id || index.get(id) <= state.at;

  // Whether a hand lies open for who looks on: `opened` is the move with which its player lays it down.
  const sees = (state, seat, opened) => state.open || seat === state.seat || Boolean(opened && happened(state, opened));
  const isOver = state => state.at === last;
  // Whether everything of a move is known at this seat, also what it tells of cards that others hold.
  const knows = (state, step) => step.heard === undefined || state.open || isOver(state) || (step.knows ?? []).includes(state.seat);
  const told = (state, step) => knows(state, step) ? step.say : step.heard;
  // Whether the declarer's partner is not known yet at this seat.
  const isSecret = state => Boolean(secret) && !state.open && state.seat !== secret.seat && !happened(state, secret.since);
  const flagged = (state, step) => Boolean(step.flag) && knows(state, step);

  const moved = (state, at) => ({ ...state, at: Math.max(0, Math.min(last, at)), playing: false });
  const partOf = state => parts.indexOf(steps[state.at].part);
  const toPart = (state, n) => moved(state, head(parts[Math.max(0, Math.min(parts.length - 1, n))]));
  const numbered = n => n === 0 ? 0 : parts.includes(String(n)) ? parts.indexOf(String(n)) : parts.length - 1;
  function toFinding(state) {
    const found = steps.flatMap((step, i) => flagged({ ...state, at: i }, step) ? [i] : []);
    return found.length ? moved(state, found.find(i => i > state.at) ?? found[0]) : moved(state, state.at);
  }
  function tick(state) {
    if (!state.playing || isOver(state)) return { ...state, playing: false };
    const next = { ...moved(state, state.at + 1), playing: true };
    return { ...next, playing: !isOver(next) && !flagged(next, steps[next.at]) };
  }
  const actions = {
    ...Object.fromEntries(Object.entries(SHIFT).map(([name, by]) => [name, state => moved(state, state.at + by)])),
    home: state => moved(state, 0),
    end: state => moved(state, last),
    trickBack: state => toPart(state, partOf(state) - (state.at === head(steps[state.at].part) ? 1 : 0)),
    trickOn: state => toPart(state, partOf(state) + 1),
    trick: (state, n) => toPart(state, numbered(n)), // of that number; 0 is the start, one that is not there the end
    go: (state, id) => moved(state, index.get(id) ?? state.at),
    finding: toFinding,
    play: state => state.playing ? { ...state, playing: false } : { ...state, at: isOver(state) ? 0 : state.at, playing: last > 0 },
    tick,
    stop: state => ({ ...state, playing: false }),
    speed: state => ({ ...state, speed: SPEEDS[(SPEEDS.indexOf(state.speed) + 1) % SPEEDS.length] }),
    turn: state => ({ ...state, seat: seats[(seats.indexOf(state.seat) + 1) % seats.length] ?? state.seat }),
    hands: state => ({ ...state, open: !state.open }),
  };

  // The part of a fragment that is kept, a record, and the name after it.
  function split(hash) {
    const [, before = '', name] = hash.match(/^#?(.*\/)?(.*)$/s);
    return !before && name.length > RECORD ? [`${name}/`, ''] : [before, name];
  }
  // The state that an address asks for; where it names no move, the moment stays.
  function read(search, hash, state = start) {
    const query = new URLSearchParams(search);
    const seat = Number(query.get('seat')) - 1;
    const at = index.get(split(hash)[1]) ?? state.at;
    return { ...state, at, seat: seats.includes(seat) ? seat : first, open: query.get('open') !== '0', playing: false };
  }
  // A query that asks for the view of a state, beside what else it asks for.
  function query(state, search) {
    const asked = new URLSearchParams(search);
    state.seat === first ? asked.delete('seat') : asked.set('seat', state.seat + 1);
    state.open ? asked.delete('open') : asked.set('open', 0);
    return asked.size ? `?${asked}` : '';
  }
  const fragment = (state, hash) => `#${split(hash)[0]}${steps[state.at].id}`;

  const start = { at: 0, seat: first, open: true, speed: 1, playing: false };
  return {
    start, steps, parts, last, index, happened, sees, knows, told, flagged, isSecret, isOver, read, query, fragment,
    write: (state, search, hash) => query(state, search) + fragment(state, hash),
    act: (state, name, what) => actions[name](state, what),
    wait: state => PAUSE[steps[state.at].take ? 'trick' : 'card'] / state.speed,
    names: id => index.has(id),
    hasRecord: hash => split(hash)[0] !== '',
  };
}
