// A file that is dropped anywhere on the page is sent, as if it had been chosen in the form; where the form asks for
// nothing else, one that is chosen is sent at once too.
const form = document.querySelector('form[data-drop]');
const isForField = event => !event.dataTransfer.types.includes('Files') && event.target.matches?.('textarea');
addEventListener('dragover', event => isForField(event) || event.preventDefault());
addEventListener('drop', event => {
  if (isForField(event)) return;
  event.preventDefault();  // a text or a link, too, which a browser would go to
  if (!event.dataTransfer.files.length) return;
  form.elements.file.files = event.dataTransfer.files;
  form.requestSubmit();
});
if (form.dataset.drop === 'alone') form.elements.file.addEventListener('change', () => form.requestSubmit());
