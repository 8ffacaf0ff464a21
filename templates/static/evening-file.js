// An evening in a file: its deals are packed in it, and each is shown in a frame of its own when it is asked for.
const $ = query => document.querySelector(query);
const how = $('#how');
const root = document.documentElement;
const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).json();
}
function page({ style, scripts, sprites, deals, pieces }, at) {
  const [, title, sprite, script] = deals[at];
  const main = pieces.map(of => of[at]).join('');
  const chosen = Object.entries(root.dataset).map(([key, value]) => ` data-${key}="${escaped(value)}"`).join('');
  const run = scripts[script] && `<script type="module">${scripts[script]}</` + 'script>';
  return `<!doctype html><html lang="${root.lang}"${chosen}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`
    + `<meta name="color-scheme" content="${$('meta[name=color-scheme]').content}"><title>${escaped(title)}</title><style>${style}</style></head>`
    + `<body class="portable">${sprites[sprite]}${main}${run}</body></html>`;
}
function lead(link, deal) {
  link.toggleAttribute('hidden', !deal);
  if (deal) link.href = `#deal-${deal[0]}`;
}
function show(held) {
  const at = held.deals.findIndex(([number]) => location.hash === `#deal-${number}`);
  const dialog = $('#played');
  if (at < 0) {
    if (dialog.open) dialog.close();
    return;
  }
  $('#played iframe').srcdoc = page(held, at);
  lead($('#previous'), held.deals[at - 1]);
  lead($('#next'), held.deals[at + 1]);
  if (!dialog.open) dialog.showModal();
}
async function start() {
  how.hidden = false;
  if (!('DecompressionStream' in window)) {
    how.textContent = how.dataset.old;
    return;
  }
  const held = await unpacked($('#deals').textContent);
  addEventListener('hashchange', () => show(held));
  $('#played').addEventListener('close', () => { if (location.hash.startsWith('#deal-')) location.hash = ''; });
  show(held);
}
start();
