// What a page can do beside its links: print itself, hand its address on in its language, go to the next one by a key.
import './files.js';
addEventListener('click', async event => {
  const button = event.target.closest('button[data-act]');
  if (button?.dataset.act === 'print') print();
  if (button?.dataset.act === 'share') {
    const url = new URL(location);
    url.searchParams.set('lang', document.documentElement.lang);
    const page = { title: document.title, url: url.href };
    try {
      await (navigator.share ? navigator.share(page) : navigator.clipboard.writeText(page.url));
      if (!navigator.share) button.textContent = button.dataset.done;
    } catch { // taken back, or no permission: the address stands above
    }
  }
});
addEventListener('keydown', event => {
  const way = { p: 'prev', n: 'next' }[event.key];
  if (way && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest('input, select, textarea')) document.querySelector(`.head a[rel=${way}]`)?.click();
});
