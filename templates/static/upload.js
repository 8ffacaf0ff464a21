// A file that is dropped anywhere on the page is shown at once, as if it had been chosen in the form.
const form = document.getElementById('upload');
if (form) {
  const send = () => form.requestSubmit();
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    form.elements.file.files = event.dataTransfer.files;
    send();
  });
  form.elements.file.addEventListener('change', send);
}
