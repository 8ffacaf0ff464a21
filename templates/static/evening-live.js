// The evening as it stands, for everybody who looks on: the page asks again, and the server says when it is another.
document.documentElement.classList.add('scripted');
const EVERY = 4000; // milliseconds
let known = '';
async function look() {
  try {
    const answer = document.hidden ? null : await fetch(location.href, { cache: 'no-cache' });
    const etag = answer?.headers.get('etag') || '';
    if (answer?.ok && etag !== known) {
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live');
      if (fresh && known) document.getElementById('live').replaceWith(document.adoptNode(fresh));
      known = etag;
    }
  } catch { // no network: what is there stays
  }
  setTimeout(look, EVERY);
}
look();
