/** `field-filter`: finds fields of a store by words of their path, type, values and meaning. */
import { make } from '../../browser/make.ts';

class FieldFilter extends HTMLElement {
  private readonly box = make('input', {
    type: 'search',
    placeholder: 'opening hours, lat, null …',
  });
  private readonly found = make('output');

  connectedCallback(): void {
    this.box.oninput = () => this.show();
    // A link to a field that is filtered out shows it.
    window.addEventListener('hashchange', () => {
      if (this.box.value === '') return;
      this.box.value = '';
      this.show();
      // The browser opens what is around it.
      location.replace(location.hash);
    });
    this.replaceChildren(make('label', {}, 'Filter', this.box), this.found);
    this.tell(document.querySelectorAll('.tree > li').length);
  }

  /** Hides fields that lack a word, and unfolds those that hold others. */
  private show(): void {
    const words = this.box.value.toLowerCase().split(/\s+/).filter(Boolean);
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
    this.tell(count);
  }

  private tell(count: number): void {
    this.found.textContent = count === 1 ? '1 field' : `${count} fields`;
  }
}

customElements.define('field-filter', FieldFilter);
