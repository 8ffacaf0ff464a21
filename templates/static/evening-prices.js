// The price of a deal, reckoned from the table that the server put into the page: for each game and end the lines of its
// settlement, with places for runners, knocks, doublings and virgins. What is not in the table, the server is asked for.
const [ADD, TIMES, POT] = [0, 1, 2];

// The prices of a game with what was announced; undefined where the table has none.
const pricesOf = (table, taps) => table.prices[table.games[[taps.game, ...taps.words].join(' ')]];

// The lines of an end and what it comes to; null where the table does not know.
function reckoned(table, taps, end) {
  const game = pricesOf(table, taps), priced = game?.ends[end];
  if (!priced) return null;
  const lines = [];
  let running = 0;
  for (const part of priced.lines) {
    const count = typeof part === 'number' ? 0 : Number(taps[part] || 0);
    const own = typeof part === 'number' ? [part] : count ? game[part][count] : [];
    if (!own) return null;
    for (const at of own) {
      const [kind, amount, text, cite] = table.lines[at];
      if (kind === ADD) running += amount;
      else if (kind === TIMES) running *= amount;
      lines.push({ kind, amount, text, cite, running: kind === POT ? null : running });
    }
  }
  return { lines, price: running, share: priced.share, extra: priced.extra, moves: Boolean(priced.moves) };
}

// What a deal comes to: the lines of its first end, the price of each, as far as the table knows them; null: not at all.
export function reckon(table, taps) {
  if (!table || !pricesOf(table, taps)) return null;
  const ends = {};
  for (const end of Object.keys(pricesOf(table, taps).ends)) {
    const found = reckoned(table, taps, end);
    if (!found) return null;
    ends[end] = found;
  }
  return ends;
}

// What each seat is paid, in cents, and whether the next deal may cost otherwise; null: not known. `out` sit out; null:
// nobody knows who does.
export function paid(table, taps, end, seats, out) {
  if (!table || !out) return null;
  if (taps.game === 'misdeal') return { amounts: Array(seats).fill(0), moves: false };
  const none = taps.game === 'none', found = none ? table.none : reckoned(table, taps, end);
  if (!found || (found.extra && out.length)) return null; // whether those pay into a pot too, the server says
  if (none) return { amounts: found.extra ?? Array(seats).fill(0), moves: Boolean(found.moves) };
  if (taps.with === undefined && found.share[1] !== found.share.at(-1)) return null; // nobody knows who was with them
  const role = seat => (seat === Number(taps.who) ? 0 : taps.with !== undefined && seat === Number(taps.with) ? 1 : found.share.length - 1);
  const amounts = Array.from({ length: seats }, (_, seat) => (out.includes(seat) ? 0 : found.price * found.share[role(seat)] + (found.extra?.[role(seat)] ?? 0)));
  return { amounts, moves: found.moves };
}

function decimal(table, cents) {
  const [whole, part] = (Math.abs(cents) / 100).toFixed(2).split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, table.money[2]) + table.money[1] + part;
}
// An amount as the server writes it: `+0,50 €`, without a sign `0,50 €`.
export function money(table, cents, signed = true) {
  const sign = cents < 0 ? '−' : cents > 0 && signed ? '+' : '';
  return table.money[0].replace('{sign}', sign).replace('{amount}', decimal(table, cents));
}

// The lines as a sum: `(0,20 + 0,30) × 2`.
function sum(table, lines) {
  const own = lines.filter(each => each.kind !== POT);
  let said = '', parts = 0;
  for (const { kind, amount } of own) {
    if (kind === ADD && amount) { said = said ? `${said} + ${decimal(table, amount)}` : decimal(table, amount); parts++; }
    else if (kind === TIMES) { said = `${parts > 1 ? `(${said})` : said} × ${amount}`; parts = 1; }
  }
  return own.length > 1 ? said : '';
}

const element = (name, text = '', className = '') => Object.assign(document.createElement(name), { textContent: text, className });

// The price as the server's page has it: one line, which unfolds to those of the settlement.
export function drawPrice(table, title, found, ifWon, names) {
  const box = document.createElement('details'), head = element('summary'), list = element('ul');
  const said = sum(table, found.lines), amount = element('b', money(table, found.price, false), 'n');
  head.append(element('b', title), ' ', ...(said ? [element('span', `${said} =`), ' '] : []), amount);
  for (const { text, cite, running } of found.lines) {
    const row = element('li'), named = text.replace(/\{(\d)\}/g, (_, seat) => names[seat]);
    row.append(element('span', named), ' ', element('b', running === null ? '' : money(table, running, false), 'n'), ' ', element('small', cite));
    list.append(row);
  }
  const note = element('p');
  note.append(element('small', ifWon));
  box.append(head, ...(ifWon ? [note] : []), list);
  return box;
}
