/** `code-tabs`: shows one of its panels at a time, the same language in all of them. */
import { make } from '../../browser/make.ts';
import { withStorage } from '../../browser/site-storage.ts';

/** Where the browser keeps the language that was chosen last. */
const KEY = 'sample-language';

/** For the names of groups of choices. */
let count = 0;

class CodeTabs extends HTMLElement {
  connectedCallback(): void {
    const name = `tabs-${count++}`;
    const choices = make('fieldset', { className: 'tabs', ariaLabel: 'Shown' });
    const panels = this.panels();
    for (const panel of panels) {
      const value = panel.querySelector('.label')?.textContent ?? '';
      const onchange = () => {
        chooseEverywhere(choice);
        if (this.isOfLanguages) withStorage('localStorage', (kept) => kept.setItem(KEY, value));
      };
      const choice: HTMLInputElement = make('input', { type: 'radio', name, value, onchange });
      choices.append(make('label', {}, choice, value));
      Object.assign(panel, { role: 'region', ariaLabel: value, tabIndex: 0 });
    }
    this.prepend(choices);
    this.choose(panels[0]?.ariaLabel ?? '');
    const kept = this.isOfLanguages && withStorage('localStorage', (each) => each.getItem(KEY));
    if (kept) this.choose(kept);
  }

  private get isOfLanguages(): boolean {
    return this.dataset.languages !== undefined;
  }

  /** Shows the panel of this name, if there is one. */
  choose(name: string): void {
    const panels = this.panels();
    if (!panels.some(({ ariaLabel }) => ariaLabel === name)) return;
    for (const panel of panels) panel.hidden = panel.ariaLabel !== name;
    // Panels may have tabs of their own.
    const choices = this.querySelectorAll<HTMLInputElement>(':scope > .tabs input');
    for (const choice of choices) choice.checked = choice.value === name;
  }

  private panels(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>(':scope > section')];
  }
}

/** Chooses in all tabs. The height above these tabs may change: they stay where they are on the screen. */
function chooseEverywhere(choice: HTMLInputElement): void {
  const before = choice.getBoundingClientRect().top;
  for (const tabs of document.querySelectorAll<CodeTabs>('code-tabs')) tabs.choose(choice.value);
  window.scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: 'instant' });
}

customElements.define('code-tabs', CodeTabs);
