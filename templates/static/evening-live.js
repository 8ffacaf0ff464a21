// The evening as it stands, for everybody who looks on: the page asks again, and the server says when it is another.
document.documentElement.classList.add('scripted');
const live = () => document.querySelector('[data-every]'); // milliseconds
let known = '';
async function look() {
  try {
    const answer = document.hidden ? null : await fetch(location.href, { cache: 'no-cache' });
    const etag = answer?.headers.get('etag') || '';
    if (answer?.ok && etag !== known) {
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-every]');
      if (fresh && known) {
        fresh.classList.toggle('fresh', fresh.dataset.deals !== live().dataset.deals);
        live().replaceWith(document.adoptNode(fresh));
      }
      known = etag;
    }
  } catch { // no network: what is there stays
  }
  setTimeout(look, live().dataset.every);
}
look();
