// A slider over each end of a span of months. The lists of months stay: they say the month, are sent, and do without this.
const lists = [...document.querySelectorAll(".months select")];
const sliders = lists.map((list) => {
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: list.length - 1 });
  slider.setAttribute("aria-label", list.labels[0].firstChild.textContent.trim());
  list.closest("label").after(slider);
  return slider;
});
// What the lists say, said by the sliders too.
const show = () => lists.forEach((list, at) => {
  sliders[at].value = list.selectedIndex;
  sliders[at].setAttribute("aria-valuetext", list.selectedOptions[0].text);
});
// The other end goes along where one is moved past it: a span does not end before it begins.
const follow = (moved) => {
  const [since, until] = lists;
  if (since.value && until.value && since.value > until.value) (moved === since ? until : since).value = moved.value;
  show();
};
lists.forEach((list, at) => {
  sliders[at].addEventListener("input", () => { list.selectedIndex = sliders[at].valueAsNumber; follow(list); });
  list.addEventListener("change", () => follow(list));
});
show();
