// Keeps the pages of evenings and the files that they need for when there is no network. What is tapped waits in the
// page's own queue; nothing is sent from here.
const NAME = 'schafkopf-evenings', FILES = {{ files|tojson }};
const PAGE = /\/evenings\/(new|\d+(\/add)?)$/;
self.addEventListener('install', event => {
  event.waitUntil(caches.open(NAME).then(cache => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener('activate', event => {
  event.waitUntil((async () => {
    const cache = await caches.open(NAME), wanted = FILES.map(each => new URL(each, location.href).href);
    for (const request of await cache.keys()) if (request.url.includes('/static/') && !wanted.includes(request.url.split('?')[0]) && !request.url.startsWith(wanted[0].replace(/[^/]*$/, ''))) await cache.delete(request);
    await self.clients.claim();
  })());
});
self.addEventListener('fetch', event => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.includes('/static/')) event.respondWith(keptFile(event.request));
  else if (PAGE.test(url.pathname)) event.respondWith(keptPage(event.request));
});
async function keptFile(request) {
  const cache = await caches.open(NAME), known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
async function keptPage(request) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) await cache.put(request.url, answer.clone());
    return answer;
  } catch (error) {
    const known = (await cache.match(request.url)) || (await cache.match(request.url, { ignoreSearch: true }));
    if (known) return known;
    throw error;
  }
}
