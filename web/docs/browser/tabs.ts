/** `code-tabs`: shows one of its panels at a time, the same language in all of them. */
import { make } from '../../browser/make.ts';

/** For the ids of tabs. */
let count = 0;

class CodeTabs extends HTMLElement {
  private readonly tabs = new Map<HTMLButtonElement, HTMLElement>();

  connectedCallback(): void {
    for (const panel of this.querySelectorAll<HTMLElement>(':scope > section')) {
      const id = `tab-${count++}`;
      const label = panel.querySelector('.label')?.textContent ?? '';
      const tab = make('button', { role: 'tab', id }, label);
      tab.addEventListener('click', () => chooseEverywhere(tab));
      Object.assign(panel, { role: 'tabpanel', tabIndex: 0 }).setAttribute('aria-labelledby', id);
      this.tabs.set(tab, panel);
    }
    const list = make('div', { role: 'tablist' }, ...this.tabs.keys());
    list.addEventListener('keydown', (event) => this.move(event));
    this.prepend(list);
    const [first] = this.tabs.keys();
    this.choose(first?.textContent ?? '');
  }

  /** Shows the panel of this name, if there is one. */
  choose(label: string): void {
    const tabs = [...this.tabs];
    if (!tabs.some(([{ textContent }]) => textContent === label)) return;
    for (const [tab, panel] of tabs) {
      const isChosen = tab.textContent === label;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
    }
  }

  private move(event: KeyboardEvent): void {
    const tabs = [...this.tabs.keys()];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.indexOf(event.target as HTMLButtonElement) + step;
    const tab = tabs.at(index % tabs.length);
    tab?.click();
    tab?.focus();
  }
}

/** What is above the tabs that were clicked may change its height: they stay where they are. */
function chooseEverywhere(tab: HTMLButtonElement): void {
  const before = tab.getBoundingClientRect().top;
  for (const tabs of document.querySelectorAll<CodeTabs>('code-tabs')) tabs.choose(tab.textContent);
  window.scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
}

customElements.define('code-tabs', CodeTabs);
