/** What scripts add to the pages of the documentation, which can be read without them. */
import { make } from '../../browser/make.ts';
import { withStorage } from '../../browser/site-storage.ts';
import '../../browser/token-control.ts';
import { replaceInCode } from './code-block.ts';
import './field-filter.ts';
import './try-it.ts';

/** What samples have for the address of the service, which is the address of the page. */
const ADDRESS = 'https://the-address-you-were-given';

/** Where the browser keeps the language of samples that was chosen last. */
const LANGUAGE_KEY = 'sample-language';

/** The buttons of all samples that choose a language. */
const LANGUAGE_CHOICES = '[data-languages] > label > input';

/** Shows all samples in this language, where they have it. */
function chooseLanguage(language: string): void {
  for (const choice of document.querySelectorAll<HTMLInputElement>(LANGUAGE_CHOICES)) {
    if (choice.value === language) choice.checked = true;
  }
}

/** Takes the language that was chosen once for all samples, and for the next page. */
function followLanguage({ target }: Event): void {
  const choice = target as HTMLInputElement;
  if (!choice.matches(LANGUAGE_CHOICES)) return;
  chooseLanguage(choice.value);
  withStorage('localStorage', (storage) => storage.setItem(LANGUAGE_KEY, choice.value));
}

/** Adds a link to the page as Markdown, for readers who hand it to an assistant. */
function offerMarkdown(): void {
  const link = document.querySelector<HTMLLinkElement>('link[type="text/markdown"]');
  if (!link) return;
  const button = make('button', { className: 'copy-page' }, 'Copy as Markdown');
  button.onclick = async () => {
    try {
      const response = await fetch(link.href);
      if (!response.ok) throw new Error(response.statusText);
      await navigator.clipboard.writeText(await response.text());
      button.textContent = 'Copied';
    } catch {
      // It can be copied from there.
      location.assign(link.href);
    }
  };
  document.querySelector('h1')?.after(button);
}

/** Keys reach a table that scrolls sideways. */
const tableWidths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    (target as HTMLElement).tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
  }
});

for (const table of document.querySelectorAll('table')) tableWidths.observe(table);
document.addEventListener('change', followLanguage);
chooseLanguage(withStorage('localStorage', (storage) => storage.getItem(LANGUAGE_KEY)) ?? '');
replaceInCode(document, ADDRESS, location.origin);
offerMarkdown();
