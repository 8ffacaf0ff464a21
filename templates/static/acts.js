// What a page of an evening can do beside its links: print itself, hand its address on.
addEventListener('click', async event => {
  const button = event.target.closest('button[data-act]');
  if (button?.dataset.act === 'print') print();
  if (button?.dataset.act === 'share') {
    const page = { title: document.title, url: location.href };
    try {
      await (navigator.share ? navigator.share(page) : navigator.clipboard.writeText(page.url));
      if (!navigator.share) button.textContent = button.dataset.done;
    } catch { // taken back, or no permission: the address stands above
    }
  }
});
