// A name that is tapped sits down on the next free seat; rules that are kept need no questions.
document.documentElement.classList.add('scripted');
const seats = () => Array.from(document.querySelectorAll('.names input'));
const mark = () => {
  for (const button of document.querySelectorAll('[data-name]')) button.disabled = seats().some(seat => seat.value.trim() === button.dataset.name);
};
document.addEventListener('click', event => {
  const button = event.target.closest('[data-name]');
  const free = button && seats().find(seat => !seat.value.trim());
  if (free) free.value = button.dataset.name;
  mark();
});
document.addEventListener('input', mark);
const rules = document.getElementById('rules'), guide = document.getElementById('guide');
const ask = () => { guide.hidden = rules.value !== ''; };
rules.addEventListener('change', ask);
ask();
mark();
