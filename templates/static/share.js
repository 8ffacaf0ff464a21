// The dialog that shares the moment shown: links to copy, a picture to keep. `deal.js` opens it; a page loads it by this
// module, so that the two begin at once and no dialog opens empty.
import './files.js';
import { shown, address } from './deal.js';
const $ = query => document.querySelector(query);
const dialog = $('#share');
const told = dialog.dataset;
const asked = { card: $('#share-card'), seat: $('#share-seat'), open: $('#share-open') };
const say = text => { $('#share-said').textContent = text; };
const escaped = text => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

// An address of ours that opens in the view that is asked for.
function link(path, packed = '', spoken = true) {
  const { state, step } = shown();
  const url = new URL(path, location);
  const here = new URL(address(), location).searchParams;
  for (const key of ['cards', 'look']) here.has(key) ? url.searchParams.set(key, here.get(key)) : url.searchParams.delete(key);
  if (spoken) url.searchParams.set('lang', document.documentElement.lang); // a messenger asks for its preview in no language
  if (asked.seat.checked) url.searchParams.set('seat', state.seat + 1);
  if (!asked.open.checked) url.searchParams.set('open', 0);
  url.hash = [packed, asked.card.checked ? step.id : ''].filter(Boolean).join('/');
  return url.href;
}
function snippet() {
  const script = new URL(told.script, location).href;
  return `<iframe src="${escaped(link(told.frame, '', false))}" title="${escaped($('h1').textContent)}" width="100%" height="860" style="border:0" loading="lazy"></iframe><script src="${escaped(script)}" async></script>`;
}
function fill() {
  const values = { link: link(told.link, told.link === told.view ? told.packed : ''), frame: told.frame && snippet(), whole: told.view && link(told.view, told.packed) };
  for (const [name, value] of Object.entries(values)) {
    const field = $(`#share-${name}`);
    if (field) field.value = value;
  }
}
function start() { // as the table stands
  const { state, data } = shown();
  const seat = $(`.seat[data-seat="${state.seat}"]`);
  const label = $('#share-seat + span');
  label.textContent = label.dataset.text.replace('{name}', seat?.ariaLabel ?? state.seat + 1);
  Object.assign(asked.card, { checked: true });
  Object.assign(asked.seat, { checked: state.seat !== data.seat || !state.open });
  Object.assign(asked.open, { checked: state.open });
  say('');
  fill();
}
async function copy(field) {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    say(told.copied);
  } catch { // no permission, or no secure page
    say(told.selected);
  }
}
async function keep() {
  try {
    const { picture } = await import('./picture.js');
    const url = URL.createObjectURL(await picture());
    Object.assign(document.createElement('a'), { href: url, download: `${told.name}-${shown().step.id}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    say(told.drawn);
  } catch (error) {
    console.error(error);
    say(told.undrawn);
  }
}
document.addEventListener('share', start);
for (const box of Object.values(asked)) box.addEventListener('change', fill);
for (const button of dialog.querySelectorAll('[data-copy]')) button.addEventListener('click', () => copy($(`#${button.dataset.copy}`)));
$('#share-picture').addEventListener('click', keep);
