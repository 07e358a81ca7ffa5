/** `field-filter`: finds fields of a store by words of their path, type, values and meaning. */
import { make } from '../../browser/make.ts';

class FieldFilter extends HTMLElement {
  connectedCallback(): void {
    const box = make('input', { type: 'search', placeholder: 'opening hours, lat, null …' });
    const found = make('output');
    const show = () => {
      const count = showMatches(box.value);
      found.textContent = count === 1 ? '1 field' : `${count} fields`;
    };
    box.oninput = show;
    // A link to a field that is filtered out shows it.
    window.addEventListener('hashchange', () => {
      box.value = '';
      show();
      document.querySelector(':target')?.scrollIntoView();
    });
    this.replaceChildren(make('label', {}, 'Filter', box), found);
    show();
  }
}

/** Hides the rows that lack a word; returns how many are left. The style hides groups without rows. */
function showMatches(query: string): number {
  const words = query.toLowerCase().split(/\s+/);
  const rows = [...document.querySelectorAll<HTMLElement>('.fields tbody tr')];
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
  return rows.filter(({ hidden }) => !hidden).length;
}

customElements.define('field-filter', FieldFilter);
