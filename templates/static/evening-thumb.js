// What a thumb taps: one row of names for who plays and with whom, and steps up and down for what is counted. The groups
// of choices stay as they are; a keyboard and a screen reader use those.
const form = document.getElementById('deal');
const COUNTED = ['runners', 'virgins', 'knocks', 'doubles'];
const group = name => form.querySelector(`fieldset.${name}`);
const chosen = name => form.querySelector(`input[name=${name}]:checked`);
const tell = () => form.dispatchEvent(new Event('change', { bubbles: true }));

// The first tap on a name chooses who plays, the second on another one with whom; on one that is chosen, it clears it.
let thumb = false;
form.addEventListener('pointerdown', event => { thumb = Boolean(event.target.closest('fieldset.who')); });
let before = null;
form.addEventListener('pointerdown', () => { before = chosen('who')?.value ?? null; });
form.addEventListener('click', event => {
  const input = event.target;
  if (!thumb || input.name !== 'who') return;
  thumb = false;
  const partner = chosen('with'), game = chosen('game');
  const set = (of, value) => { for (const each of form.querySelectorAll(`input[name=${of}]`)) each.checked = each.value === value; };
  if (input.value === before) {
    set('who', null);
    set('with', null);
    tell();
  } else if (partner && input.value === partner.value) {
    event.preventDefault(); // who plays stays
    set('with', null);
    setTimeout(tell);
  } else if (before !== null && !partner && group('with') && (!game || 'partner' in game.dataset)) {
    event.preventDefault();
    set('with', input.value);
    setTimeout(tell);
  } else {
    set('with', null);
  }
});

for (const name of COUNTED) {
  const set = group(name);
  if (!set) continue;
  const box = document.createElement('div');
  box.className = 'step';
  box.setAttribute('aria-hidden', 'true');
  const button = (step, sign) => Object.assign(document.createElement('button'), { type: 'button', tabIndex: -1, textContent: sign, value: step });
  box.append(button(-1, '−'), document.createElement('output'), button(1, '+'));
  set.append(box);
}
form.addEventListener('click', event => {
  const button = event.target.closest('.step button');
  if (!button) return;
  const offered = offeredIn(button.closest('fieldset')), at = offered.findIndex(each => each.checked) + Number(button.value);
  if (!offered[at]) return;
  offered[at].checked = true;
  tell();
});
const offeredIn = set => Array.from(set.querySelectorAll('input')).filter(each => !each.closest('.tap').hidden);

// Shows in the row and at the steps what is chosen.
export function showTaps(form) {
  const partner = chosen('with');
  for (const each of form.querySelectorAll('input[name=who]')) each.closest('.tap').classList.toggle('mate', Boolean(partner && !partner.matches(':disabled') && each.value === partner.value));
  for (const set of COUNTED.map(group).filter(Boolean)) {
    const offered = offeredIn(set), at = Math.max(0, offered.findIndex(each => each.checked));
    const [less, more] = set.querySelectorAll('.step button');
    set.querySelector('.step output').textContent = offered[at]?.nextElementSibling.textContent ?? '0';
    set.classList.toggle('some', at > 0);
    less.disabled = at === 0;
    more.disabled = at >= offered.length - 1;
  }
}
