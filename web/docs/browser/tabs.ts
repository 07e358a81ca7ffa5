/** `code-tabs`: shows one of its panels at a time, the same language in all of them. */
import { make } from '../../browser/make.ts';

/** For the names of groups of choices. */
let count = 0;

class CodeTabs extends HTMLElement {
  private readonly panels = new Map<HTMLInputElement, HTMLElement>();

  connectedCallback(): void {
    const name = `tabs-${count++}`;
    const choices = make('fieldset', { className: 'tabs', ariaLabel: 'Shown' });
    for (const panel of this.querySelectorAll<HTMLElement>(':scope > section')) {
      const value = panel.querySelector('.label')?.textContent ?? '';
      const choice = make('input', { type: 'radio', name, value });
      choice.addEventListener('change', () => chooseEverywhere(choice));
      choices.append(make('label', {}, choice, value));
      Object.assign(panel, { role: 'region', ariaLabel: value, tabIndex: 0 });
      this.panels.set(choice, panel);
    }
    this.prepend(choices);
    const [first] = this.panels.keys();
    this.choose(first?.value ?? '');
  }

  /** Shows the panel of this name, if there is one. */
  choose(name: string): void {
    const panels = [...this.panels];
    if (!panels.some(([{ value }]) => value === name)) return;
    for (const [choice, panel] of panels) {
      choice.checked = choice.value === name;
      panel.hidden = !choice.checked;
    }
  }
}

/** What is above the tabs that were chosen from may change its height: they stay where they are. */
function chooseEverywhere(choice: HTMLInputElement): void {
  const before = choice.getBoundingClientRect().top;
  for (const tabs of document.querySelectorAll<CodeTabs>('code-tabs')) tabs.choose(choice.value);
  window.scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: 'instant' });
}

customElements.define('code-tabs', CodeTabs);
