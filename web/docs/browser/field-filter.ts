/** `field-filter`: finds fields of a store by words of their path, type, values and meaning. */
import { make } from '../../browser/make.ts';

const box = make('input', { type: 'search', placeholder: 'opening hours, lat, null …' });
const found = make('output');

/** Hides fields that lack a word, and unfolds those that hold others. */
function show(): void {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  // Fields before those that hold them.
  for (const field of [...document.querySelectorAll<HTMLElement>('.tree > li')].reverse()) {
    const inner = field.querySelector(':scope > details > ul');
    const text = field.textContent.replace(inner?.textContent ?? '', '').toLowerCase();
    const isFound = words.every((word) => text.includes(word));
    const holdsFound = field.querySelector('li:not([hidden])') !== null;
    if (isFound) count++;
    field.hidden = !isFound && !holdsFound;
    const folded = field.querySelector<HTMLDetailsElement>(':scope > details');
    if (folded) folded.open = words.length > 0 && holdsFound;
  }
  tell(count);
}

function tell(count: number): void {
  found.textContent = count === 1 ? '1 field' : `${count} fields`;
}

/** Shows all fields again where a link to one was followed. */
function showAll(): void {
  if (box.value === '') return;
  box.value = '';
  show();
  // The browser opens what is around it.
  location.replace(location.hash);
}

const place = document.querySelector('field-filter');
if (place) {
  box.oninput = show;
  window.addEventListener('hashchange', showAll);
  place.append(make('label', {}, 'Filter', box), found);
  tell(document.querySelectorAll('.tree > li').length);
}
