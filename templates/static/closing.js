// The amounts count up to where they stand, for 600 ms, where motion is wanted; without this script they simply stand.
const LONG = 600; // milliseconds
const amounts = [...document.querySelectorAll('[data-count]')].map(place => ({ place, text: place.textContent, number: /\d[\d.,]*/.exec(place.textContent)?.[0] }));
const digits = text => Number(text.replace(/\D/g, ''));
const like = (text, value) => { // the number as the text has it: as many digits behind the same sign
  let left = String(value).padStart(text.replace(/\D/g, '').length, '0');
  const written = text.replace(/\d/g, () => { const first = left[0]; left = left.slice(1); return first; });
  return written.replace(/^0+(?=\d)/, zeros => '\u2007'.repeat(zeros.length));
};
if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
  let began = performance.now();
  addEventListener('beforeprint', () => {
    began = -LONG;
    step(performance.now());
  });
  const step = now => {
    const part = Math.max(0, Math.min(1, (now - began) / LONG)); // a frame may have begun before the script
    const eased = 1 - (1 - part) ** 3;
    for (const { place, text, number } of amounts) {
      if (number) place.textContent = part < 1 ? text.replace(number, like(number, Math.round(digits(number) * eased))) : text;
    }
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
