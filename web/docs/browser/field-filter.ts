/** `field-filter`: finds fields of a store by words of their path, type, values and meaning. */
import { make } from '../../browser/make.ts';

const box = make('input', { type: 'search', placeholder: 'opening hours, lat, null …' });
const found = make('output');

/** Marks fields that lack a word, and unfolds those that hold others. */
function show(): void {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const field of document.querySelectorAll('.tree > li')) {
    const inner = field.querySelector('.tree')?.textContent ?? '';
    const text = field.textContent.replace(inner, '').toLowerCase();
    field.classList.toggle('lacking', !words.every((word) => text.includes(word)));
  }
  for (const folded of document.querySelectorAll<HTMLDetailsElement>('.tree details')) {
    folded.open = words.length > 0 && folded.querySelector('li:not(.lacking)') !== null;
  }
  const { length } = document.querySelectorAll('.tree > li:not(.lacking)');
  found.textContent = length === 1 ? '1 field' : `${length} fields`;
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
  show();
}
