// A file that is dropped anywhere on the page is checked, as if it had been chosen in the form.
const form = document.getElementById("check");
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", event => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  form.elements.file.files = event.dataTransfer.files;
  form.requestSubmit();
});
