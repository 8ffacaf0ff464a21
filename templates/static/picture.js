// The position that the table shows, as a picture: what stands on the page is drawn anew as one SVG, in its colours.
import { shown } from './deal.js';
const $ = (query, root = document) => root.querySelector(query);
const $$ = (query, root = document) => [...root.querySelectorAll(query)];
const WIDE = 1000, TALL = 620, HEAD = 92, SAY = 58, SIDES = 106, FOOT = 34; // the parts, from top to bottom
const SHARP = 2; // pixels of the picture a unit
const SHAPE = 94 / 60; // of a card
const SANS = '-apple-system, "Segoe UI", Roboto, Arial, sans-serif', SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, P052, Georgia, serif';
const PLACES = { n: [500, 20, .5], s: [500, 454, .5], w: [28, 270, 0], e: [972, 270, 1], w2: [28, 128, 0], e2: [972, 128, 1] }; // x, y, what of the width lies before x
const LAID = { n: [500, 170], s: [500, 302], w: [409, 236], e: [591, 236], w2: [420, 170], e2: [580, 170] }; // the middle of the top edge
const RESULT = { size: 19, weight: 500, font: SERIF };
const SIZES = { n: [50, 29], s: [66, 46] }; // width of a card and from one to the next
const pen = document.createElement('canvas').getContext('2d');

const visible = el => el.checkVisibility({ visibilityProperty: true });
const words = el => (el?.textContent ?? '').replace(/\s+/g, ' ').trim();
const face = el => $('use', el)?.getAttribute('href').split('#')[1] ?? 'face';
const xml = text => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`);

function text(said, x, y, { size = 15, weight = 400, fill, font = SANS, anchor = 'start' }) {
  return `<text x="${x}" y="${y}" font-family='${font}' font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${xml(said)}</text>`;
}
function width(said, { size = 15, weight = 400, font = SANS }) {
  pen.font = `${weight} ${size}px ${font}`;
  return pen.measureText(said).width;
}
function fitting(said, room, style) {
  if (width(said, style) <= room) return said;
  let short = said;
  while (short && width(`${short}…`, style) > room) short = short.slice(0, -1);
  return `${short.trimEnd()}…`;
}
function wrapped(said, room, style, most = 2) {
  const lines = [''];
  for (const word of said.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && width(longer, style) > room && lines.length < most) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map(line => fitting(line, room, style));
}

// --- what is drawn: nothing that the page hides -----------------------------------------------------------------------

function hand(cards) { // a played card keeps its place, but in a hand that is hidden
  return cards.filter(card => card.getClientRects().length).map(card => ({
    face: face(card), gone: card.classList.contains('gone'), back: card.classList.contains('back'), may: card.classList.contains('may'),
  }));
}
const tallies = list => $$(`${list} > div`).filter(visible).map(el => ({ names: words($('dt', el)), points: words($('dd b', el)), tricks: words($('dd small', el)) }));
function scene() {
  return {
    title: words($('h1')),
    facts: $$('.facts > span').filter(visible).map(words),
    corner: { face: $('.nw .card') && face($('.nw .card')), lines: $$('.nw > div').flatMap(el => [...el.childNodes].map(words).filter(Boolean)) },
    factor: words($('#factor')),
    beside: $$('.ne li').filter(visible).map(words),
    blind: hand($$('.pile .card')),
    seats: $$('.felt.js > .seat').map(el => ({
      at: el.dataset.pos, name: el.getAttribute('aria-label') ?? '', next: el.classList.contains('next'), won: [words($('.won', el)), ...$$('.amount', el).filter(visible).map(words)].filter(Boolean).join(' · '),
      marks: $$('.mark', el).filter(visible).map(mark => ({ text: words(mark), kind: mark.classList.contains('us') ? 'us' : mark.classList.contains('loud') ? 'loud' : '' })),
      cards: hand($$('.fan .card', el)),
    })),
    trick: $$('.lay').filter(visible).map(el => ({ at: el.dataset.pos, face: face(el), lead: el.classList.contains('lead') ? el.dataset.tag : '', best: el.classList.contains('best'), broken: el.classList.contains('broken') })),
    middle: $$('.mid > b, .mid > span').filter(visible).map(words).filter(Boolean), passed: hand($$('.passed > .card')), result: $$('.felt.js .finish > p').filter(visible).map(words)[0] ?? '',
    what: words($('.say .what')), next: words($('.say .next')),
    sides: tallies('.sides'), each: tallies('.each'),
    levels: $$('.known .race line').map((el, i) => ({ at: Number(el.getAttribute('x1')), text: words($$('.scale text')[i]) })), total: $('.race')?.viewBox.baseVal.width ?? 120,
    site: words($('.brand')), place: $('#share').dataset.text ? new URL($('#share').dataset.link, location).pathname : '',
  };
}

// --- drawing ----------------------------------------------------------------------------------------------------------

function card(each, x, y, wide, own) {
  const tall = wide * SHAPE, round = wide * .09;
  const box = (more, fill) => `<rect x="${x - more}" y="${y - more}" width="${wide + 2 * more}" height="${tall + 2 * more}" rx="${round + more}" fill="${fill}"/>`;
  if (each.back) return `${box(0, '#fffdf6')}<rect x="${x + 3}" y="${y + 3}" width="${wide - 6}" height="${tall - 6}" rx="${round / 2}" fill="url(#back)"/>`;
  const ring = each.broken ? '#ff8d84' : each.best ? own('--brass') : '';
  return `<g opacity=".18">${box(1.2, '#000')}</g>${ring ? box(3, ring) : ''}<use href="#${each.face}" x="${x}" y="${y}" width="${wide}" height="${tall}"/>`;
}
function fan(cards, x, y, wide, step, before, own) {
  const whole = cards.length ? (cards.length - 1) * step + wide : 0;
  const left = x - before * whole;
  return cards.map((each, i) => {
    const at = left + i * step, lift = each.may ? 7 : 0;
    if (each.gone) return `<rect x="${at}" y="${y}" width="${step - 3}" height="${wide * SHAPE}" rx="4" fill="#fff" fill-opacity=".08"/>`;
    const bar = each.may ? `<rect x="${at + 2}" y="${y + wide * SHAPE - 2}" width="${step - 6}" height="3" rx="1.5" fill="${own('--brass')}"/>` : '';
    return card(each, at, y - lift, wide, own) + bar;
  }).join('');
}
function plate({ name, next, marks, won }, x, y, before, room, own) {
  const bold = { size: 15, weight: 600 }, small = { size: 11, weight: 600 };
  const tags = marks.map(mark => ({ ...mark, wide: width(mark.text, small) + 11 }));
  const wonWide = won ? width(won, { size: 13 }) + 7 : 0;
  const label = fitting(name, room - wonWide - tags.reduce((sum, tag) => sum + tag.wide + 6, 0), bold);
  const nameWide = width(label, bold);
  let at = x - before * (nameWide + wonWide + tags.reduce((sum, tag) => sum + tag.wide + 6, 0));
  const drawn = [text(label, at, y + 15, { ...bold, fill: own('--felt-ink') }), next ? `<rect x="${at}" y="${y + 20}" width="${nameWide}" height="2" fill="${own('--brass')}"/>` : ''];
  at += nameWide + 7;
  const looks = { us: [own('--brass'), own('--brass'), own('--brass-ink')], loud: [own('--felt-ink'), own('--felt-ink'), '#7b1016'], '': ['none', own('--felt-line'), own('--felt-soft')] };
  for (const tag of tags) {
    const [fill, edge, ink] = looks[tag.kind];
    drawn.push(`<rect x="${at}" y="${y + 1.5}" width="${tag.wide}" height="18" rx="3" fill="${fill}" stroke="${edge}"/>`, text(tag.text, at + tag.wide / 2, y + 14.5, { ...small, fill: ink, anchor: 'middle' }));
    at += tag.wide + 6;
  }
  return drawn.join('') + (won ? text(won, at, y + 15, { size: 13, fill: own('--felt-soft') }) : '');
}
function seat(each, own) {
  const [x, y, before] = PLACES[each.at] ?? PLACES.s;
  const [wide, step] = SIZES[each.at] ?? [50, 25];
  const tight = each.cards.length > 8 ? step * 7 / (each.cards.length - 1) : step; // ten cards need no more room than eight
  return plate(each, x, y, before, each.at === 's' || each.at === 'n' ? 460 : 330, own) + fan(each.cards, x, y + 34, wide, tight, before, own);
}
function corners({ corner, factor, beside, blind }, own) {
  const soft = { size: 13, fill: own('--felt-soft') }, title = { size: 17, weight: 500, font: SERIF, fill: own('--felt-ink') };
  const x = corner.face ? 76 : 20;
  const main = corner.face ? 1 : 0; // the line that is the name
  const left = corner.lines.slice(0, 3).map((line, i) => text(fitting(line, 300 - x, i === main ? title : soft), x, 34 + 21 * i, i === main ? title : soft));
  const right = beside.slice(0, 4).map((line, i) => text(fitting(line, 250, soft), 980, 56 + 19 * i, { ...soft, anchor: 'end' }));
  return (corner.face ? card({ face: corner.face }, 20, 18, 44, own) : '') + left.join('') + text(factor, 980, 34, { ...title, anchor: 'end' }) + right.join('') + fan(blind, 980, 44 + 19 * Math.min(4, beside.length), 36, 22, 1, own);
}
function trick({ trick: laid, middle, passed, result }, own) {
  const wide = 82;
  const cards = laid.map(each => {
    const [x, y] = LAID[each.at] ?? LAID.s;
    const tag = each.lead ? Math.max(34, width(each.lead, { size: 11, weight: 600 }) + 12) : 0;
    const lead = tag ? `<rect x="${x - tag / 2}" y="${y + wide * SHAPE - 9}" width="${tag}" height="18" rx="3" fill="${own('--felt')}"/>${text(each.lead, x, y + wide * SHAPE + 4, { size: 11, weight: 600, fill: own('--felt-ink'), anchor: 'middle' })}` : '';
    const sign = each.broken ? `<circle cx="${x + wide / 2 - 2}" cy="${y + 1}" r="11" fill="#a3141d"/>${text('!', x + wide / 2 - 2, y + 6, { size: 14, weight: 700, fill: '#fff', anchor: 'middle' })}` : '';
    return { order: each.lead ? 2 : each.best ? 1 : 0, drawn: card(each, x - wide / 2, y, wide, own) + lead + sign };
  });
  const said = middle.slice(0, 2).map((line, i) => text(fitting(line, 400, { size: i ? 15 : 26 }), 500, 322 + 28 * i, { size: i ? 15 : 26, weight: i ? 400 : 500, font: i ? SANS : SERIF, fill: own(i ? '--felt-soft' : '--felt-ink'), anchor: 'middle' }));
  if (result) return wrapped(result, 380, RESULT, 3).map((line, i) => text(line, 500, 300 + 26 * i, { ...RESULT, fill: own('--felt-ink'), anchor: 'middle' })).join('');
  return cards.sort((a, b) => a.order - b.order).map(each => each.drawn).join('') + (laid.length ? '' : said.join('') + fan(passed, 500, 366, 44, 48, .5, own));
}
function alone(each, y, own) {
  return each.map(({ names, points, tricks }, i) => {
    const x = 20 + i * 960 / each.length, room = 960 / each.length - 20;
    return text(fitting(names, room, { weight: 600 }), x, y + 30, { weight: 600, fill: own('--ink') }) + text(fitting(`${points} · ${tricks}`, room, {}), x, y + 54, { fill: own('--soft') });
  }).join('');
}
function sides({ sides: both, each, levels, total }, y, own) {
  if (both.length !== 2) return alone(each, y, own);
  const [us, them] = both, points = side => Number(side.points) || 0;
  const big = { size: 28, weight: 500, font: SERIF, fill: own('--ink') }, name = { size: 15, weight: 600, fill: own('--ink') }, soft = { size: 13, fill: own('--soft') };
  const at = share => 20 + 960 * Math.min(1, share / total);
  const one = (side, x, anchor) => text(fitting(side.names, 300, name), x, y + 26, { ...name, anchor }) + text(side.tricks, x, y + 45, { ...soft, anchor });
  return one(us, 40, 'start') + one(them, 960, 'end')
    + `<rect x="20" y="${y + 14}" width="11" height="11" rx="2" fill="${own('--brass')}"/><rect x="969" y="${y + 14}" width="11" height="11" rx="2" fill="${own('--them')}"/>`
    + text(us.points, 484, y + 40, { ...big, anchor: 'end' }) + text(':', 500, y + 38, { ...big, anchor: 'middle' }) + text(them.points, 516, y + 40, big)
    + `<rect x="20" y="${y + 60}" width="960" height="12" fill="${own('--hair')}"/><rect x="20" y="${y + 60}" width="${at(points(us)) - 20}" height="12" fill="${own('--brass')}"/><rect x="${at(total - points(them))}" y="${y + 60}" width="${980 - at(total - points(them))}" height="12" fill="${own('--them')}"/>`
    + levels.map(level => `<rect x="${at(level.at) - .75}" y="${y + 56}" width="1.5" height="20" fill="${own('--ink')}"/>${text(level.text, at(level.at), y + 92, { ...soft, anchor: 'middle' })}`).join('');
}
function drawn(found, faces, own) {
  const lower = found.sides.length === 2 ? SIDES : found.each.length ? SIDES - 30 : 0;
  const tall = HEAD + TALL + SAY + lower + FOOT, say = HEAD + TALL;
  const what = { size: 16, fill: own('--felt-ink') }, next = { size: 13, fill: own('--felt-soft') }, soft = { size: 13, fill: own('--soft') };
  const duty = fitting(found.next, 380, next);
  const lines = wrapped(found.what, 940 - (duty ? width(duty, next) + 20 : 0), what);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE} ${tall}" width="${WIDE * SHARP}" height="${tall * SHARP}">
<defs>${faces}<pattern id="back" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" fill="#75262a"/><rect width="3" height="7" fill="#8b2f33"/></pattern>
<radialGradient id="cloth" cx=".5" cy=".45" r=".75"><stop offset="0" stop-color="#fff" stop-opacity=".07"/><stop offset=".6" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".16"/></radialGradient></defs>
<rect width="${WIDE}" height="${tall}" fill="${own('--paper')}"/>
${text(fitting(found.title, 960, { size: 30, weight: 500, font: SERIF }), 20, 45, { size: 30, weight: 500, font: SERIF, fill: own('--ink') })}
${text(fitting(found.facts.join('  ·  '), 960, { size: 15 }), 20, 73, { size: 15, fill: own('--soft') })}
<g transform="translate(0 ${HEAD})"><rect width="${WIDE}" height="${TALL}" fill="${own('--felt')}"/><rect width="${WIDE}" height="${TALL}" fill="url(#cloth)"/>${corners(found, own)}${found.seats.map(each => seat(each, own)).join('')}${trick(found, own)}</g>
<rect y="${say}" width="${WIDE}" height="${SAY}" fill="${own('--felt')}"/><rect y="${say}" width="${WIDE}" height="${SAY}" fill="#000" fill-opacity=".26"/>
${lines.map((line, i) => text(line, 20, say + SAY / 2 + 6 + (lines.length > 1 ? 20 * i - 10 : 0), what)).join('')}${text(duty, 980, say + SAY / 2 + 5, { ...next, anchor: 'end' })}
${sides(found, say + SAY, own)}
${text(found.site, 20, tall - 13, soft)}${text(location.host + found.place + (found.place && `#${found.step}`), 980, tall - 13, { ...soft, anchor: 'end' })}
</svg>`;
}

// What is shown as an SVG that needs nothing from outside of itself.
export async function sketch() {
  const file = $('.felt.js use').getAttribute('href').split('#')[0];
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const sprite = await answer.text();
  const probe = $('.felt.js').appendChild(document.createElement('i')); // tells a colour as it is in the theme that is shown
  const own = (name, other = '#888') => {
    probe.style.color = `var(${name}, ${other})`;
    return getComputedStyle(probe).color;
  };
  try {
    const faces = sprite.replace(/^[^>]*>|<\/svg>\s*$/g, '').replace(/var\((--[\w-]+),([^)]*)\)/g, (_, name, other) => own(name, other));
    return drawn({ ...scene(), step: shown().step.id }, faces, own);
  } finally {
    probe.remove();
  }
}
// The same as a PNG, a Blob.
export async function picture() {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([await sketch()], { type: 'image/svg+xml' }));
  try {
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return await new Promise((done, failed) => canvas.toBlob(blob => blob ? done(blob) : failed(new Error('no picture')), 'image/png'));
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
