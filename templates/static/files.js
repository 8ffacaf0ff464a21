// A file is given to the sheet of a telephone that sends it on; anywhere else the link keeps it.
const name = answer => /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition'))?.[1] ?? 'abend';
addEventListener('click', async event => {
  const link = event.target.closest('a[data-file]');
  if (!link || !navigator.canShare || !matchMedia('(pointer: coarse)').matches) return;
  const type = link.dataset.type ?? 'text/html';
  if (!navigator.canShare({ files: [new File([''], `a.${type.split('/')[1]}`, { type })] })) return;
  event.preventDefault();
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(answer.status);
    const file = new File([await answer.blob()], name(answer), { type });
    await navigator.share({ files: [file], title: document.title });
  } catch (error) {
    if (error.name !== 'AbortError') link.textContent = link.dataset.file;
  }
});
