// A question on the felt: keys 1 to 8 choose a card, Enter plays it; after an answer the rest is played out, a card each 400 ms.
document.documentElement.classList.add('scripted');
const PACE = 400; // milliseconds
const $ = query => document.querySelector(query);
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;

addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
  $(`.may[data-key="${event.key}"]`)?.focus();
});

const felt = $('.felt[data-line]');
if (felt) {
  const line = JSON.parse(felt.dataset.line);
  const seats = felt.querySelectorAll('.seat').length;
  const said = $('[data-of]');
  const button = $('[data-do=play]');
  const lays = seat => felt.querySelector(`.lay[data-seat="${seat}"]`);
  const lying = () => [...felt.querySelectorAll('.lay:not([hidden])')];
  const first = lying().map(el => [el.dataset.seat, el.querySelector('use').getAttribute('href'), el.ariaLabel, el.classList.contains('lead')]);
  let at = 0;
  let timer = 0;
  const face = (el, href) => el.querySelector('use').setAttribute('href', href);
  function lay(seat, href, label, leads) {
    const el = lays(seat);
    face(el, href);
    el.ariaLabel = label;
    el.classList.toggle('lead', leads);
    el.hidden = false;
    return el;
  }
  function clear() { for (const el of lying()) el.hidden = true; }
  function play([seat, code]) {
    if (lying().length === seats) clear();
    const card = felt.querySelector(`.seat[data-seat="${seat}"] [data-code="${code}"]`);
    const from = card.getBoundingClientRect();
    const el = lay(seat, card.querySelector('use').getAttribute('href'), card.ariaLabel, !lying().length);
    card.classList.add('gone');
    const to = el.getBoundingClientRect();
    if (!still) el.animate([{ translate: `${from.x - to.x}px ${from.y - to.y}px` }, { translate: 'none' }], { duration: 150, easing: 'ease-out' });
  }
  function go(to) { // from the start where it goes back
    if (to < at) {
      for (const card of felt.querySelectorAll('.gone')) card.classList.remove('gone');
      clear();
      for (const each of first) lay(...each);
      at = 0;
    }
    while (at < to) play(line[at++]);
    said.textContent = said.dataset.of.replace('{n}', at);
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    button.textContent = button.dataset.play;
  }
  function start() {
    if (at === line.length) go(0);
    button.textContent = button.dataset.stop;
    timer = setInterval(() => { go(at + 1); if (at === line.length) stop(); }, PACE);
  }
  button.addEventListener('click', () => timer ? stop() : start());
  for (const [name, by] of [['on', 1], ['back', -1]]) {
    $(`[data-do=${name}]`).addEventListener('click', event => {
      event.preventDefault();
      stop();
      go(Math.min(line.length, Math.max(0, at + by)));
    });
  }
  if (!still) start();
}

for (const button of document.querySelectorAll('[data-share]')) {
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.share).textContent;
    try {
      if (navigator.share && matchMedia('(pointer: coarse)').matches) await navigator.share({ text });
      else await navigator.clipboard.writeText(text);
      button.textContent = button.dataset.done;
    } catch { // not now
    }
  });
}
