"""The contrast of every text on a page, measured in the browser."""

# Texts whose contrast is below 4.5 to 1; the felt, a gradient, counts with its lightest colour.
CONTRAST = """felt => {
  const rgb = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const linear = c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = colour => colour.slice(0, 3).reduce((sum, c, i) => sum + linear(c / 255) * [.2126, .7152, .0722][i], 0);
  const ground = el => {
    for (; el; el = el.parentElement) {
      const colour = rgb(getComputedStyle(el).backgroundColor);
      if (colour[3] === 1) return colour;
      if (el.matches('.felt')) return felt;
    }
    return [255, 255, 255];
  };
  const hasText = el => [...el.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll('body *')]
    .filter(el => hasText(el) && el.checkVisibility({ visibilityProperty: true }) && !el.closest('svg, :disabled'))
    .map(el => {
      const [a, b] = [light(rgb(getComputedStyle(el).color)), light(ground(el))].sort((x, y) => y - x);
      return [Math.round(100 * (a + .05) / (b + .05)) / 100, el.className || el.tagName, el.textContent.trim()];
    })
    .filter(([ratio]) => ratio < 4.5);
}"""

FELT = {"light": [62, 107, 87], "dark": [49, 83, 67]}
