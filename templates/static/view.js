// A deal from its link: what the fragment holds is unpacked here, judged by the site, and shown as the page of a deal.
const $ = (query, root = document) => root.querySelector(query);
const reading = $('#reading');
const packed = () => location.hash.slice(1).split('/')[0];
const record = packed();

// The bytes of base64 for addresses, inflated; no more is unpacked than a deal can have.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), sign => sign.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let found = '', length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return found + decoder.decode();
    length += value.length;
    if (length > Number(reading.dataset.longest)) {
      await reader.cancel();
      throw Object.assign(new Error('too long'), { why: 'long' });
    }
    found += decoder.decode(value, { stream: true });
  }
}
async function answered(text) {
  const form = new FormData();
  const [line, beside] = text.split('\n');
  form.set('record', line);
  if (beside) form.set('table', beside);
  const answer = await fetch(reading.dataset.check, { method: 'POST', body: form });
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}
// What the site said of a record that it did not judge, as it said it.
function refused(page) {
  const said = [...page.querySelectorAll('main .note, main .reading')];
  if (!said.length) return fail('offline');
  $('#status').hidden = true;
  reading.querySelector('.acts').before(...said.map(each => document.adoptNode(each)));
  $('#again').hidden = false;
}
function fail(why) {
  $('#status').hidden = true;
  $(`#${why}`).hidden = false;
  $(`#${why}`).setAttribute('role', 'alert');
  $('#again').hidden = why !== 'offline';
}
// The page of a deal as it stands here: no list for those without scripts, and a link where a form would be sent again.
function made(deal) {
  for (const each of deal.querySelectorAll('noscript')) each.remove();
  for (const button of deal.querySelectorAll('button[form=check]')) {
    const link = Object.assign(document.createElement('a'), { className: button.className, id: button.id, title: button.title, textContent: button.textContent });
    link.href = location.pathname + new URL(button.formAction).search;
    link.dataset.keep = 'cards';
    button.replaceWith(link);
  }
}
async function show(page) {
  const deal = $('#replayed', page);
  if (!deal) return refused(page);
  made(deal);
  document.title = document.title.replace(/^.*(?= · )/s, () => $('h1', deal).textContent);
  reading.replaceWith(document.adoptNode(deal));
  if ($('#replay')) await import('./share.js');
}
async function start() {
  if (!record) return fail('none');
  if (!('DecompressionStream' in window)) return fail('old');
  let text;
  try {
    text = await unpacked(record);
  } catch (error) {
    return fail(error.why ?? 'broken');
  }
  let page;
  try {
    page = await answered(text);
  } catch {
    return fail('offline');
  }
  await show(page);
}
addEventListener('hashchange', () => { if (packed() !== record) location.reload(); });
$('#again').addEventListener('click', () => location.reload());
start();
