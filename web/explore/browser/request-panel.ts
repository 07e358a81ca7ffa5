/** The last request, as a shell and a program write it, and its answer, with the fields that are chosen. */
import type { FieldPath } from '../../../client/src/fields.ts';
import { clientCode } from './client-code.ts';
import { find } from './dom.ts';
import { curlLine } from './question.ts';
import type { Answer } from './service.ts';

const TABS = ['curl', 'code', 'answer'] as const;
type Tab = (typeof TABS)[number];

/** Characters of an answer that are shown; a browser takes seconds to lay out a megabyte. */
const MOST_SHOWN = 60_000;

export class RequestPanel {
  private readonly panel = find('request-panel', HTMLDetailsElement);
  private readonly text = find('request-text', HTMLPreElement);
  private readonly copy = find('copy', HTMLButtonElement);
  private readonly tabs = TABS.map((tab) => find(`tab-${tab}`, HTMLButtonElement));
  private tab: Tab = 'curl';
  private answer: Answer | null = null;
  /** Of the page's own request for the list. */
  private listed: Answer | null = null;
  private readonly answerWith: (fields: readonly FieldPath[]) => Promise<Answer>;
  private readonly fields = find('fields', HTMLFieldSetElement);

  /** @param answerWith asks for the stores of the list with other fields */
  constructor(answerWith: (fields: readonly FieldPath[]) => Promise<Answer>) {
    this.answerWith = answerWith;
    this.tabs.forEach((button, place) => {
      button.addEventListener('click', () => this.choose(TABS[place] as Tab));
      button.addEventListener('keydown', ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (step === undefined) return;
        const next = (place + step + TABS.length) % TABS.length;
        this.choose(TABS[next] as Tab);
        this.tabs[next]?.focus();
      });
    });
    this.panel.addEventListener('toggle', () => this.draw());
    this.copy.addEventListener('click', () => void this.copyText());
    this.fields.addEventListener('change', () => void this.showList(this.listed));
    const search = find('find-field', HTMLInputElement);
    search.addEventListener('input', () => {
      const wanted = search.value.trim().toLowerCase();
      for (const label of this.fields.querySelectorAll('label')) {
        label.hidden = !(label.textContent ?? '').toLowerCase().includes(wanted);
      }
    });
  }

  /** Fields of the answer that the user has ticked; those within another one are in it. */
  private chosenFields(): readonly FieldPath[] {
    const ticked = [...this.fields.querySelectorAll('input')]
      .filter(({ checked }) => checked)
      .map(({ value }) => value as FieldPath);
    find('fields-chosen', HTMLSpanElement).textContent =
      ticked.length === 0 ? 'what the page needs' : `${ticked.length} chosen`;
    return ticked.filter((path) => !ticked.some((other) => path.startsWith(`${other}.`)));
  }

  /** Shows the request of the list, with the fields that are chosen in the place of the page's own. */
  async showList(answer: Answer | null): Promise<void> {
    this.listed = answer;
    if (!answer) return;
    this.show(answer);
    const fields = this.chosenFields();
    if (fields.length === 0) return;
    try {
      this.show(await this.answerWith(fields));
    } catch {
      // The request of the page stays: the search itself tells what is wrong with the service.
    }
  }

  show(answer: Answer): void {
    this.answer = answer;
    const { pathname, search } = new URL(answer.url);
    find('request-line', HTMLElement).textContent = `GET ${pathname}${decode(search)}`;
    find('request-figures', HTMLSpanElement).textContent =
      `${answer.status} in ${Math.round(answer.time)} ms, ${describeBytes(answer.bytes)}`;
    this.draw();
  }

  private choose(tab: Tab): void {
    this.tab = tab;
    this.tabs.forEach((button, place) => {
      const isChosen = TABS[place] === tab;
      button.setAttribute('aria-selected', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
    });
    this.text.setAttribute('aria-labelledby', `tab-${tab}`);
    this.draw();
  }

  private draw(): void {
    if (!this.panel.open) return;
    const whole = this.wholeText();
    const isCut = whole.length > MOST_SHOWN;
    this.text.textContent = isCut
      ? `${whole.slice(0, MOST_SHOWN)}\n… (${describeBytes(whole.length - MOST_SHOWN)} more: Copy takes all of it)`
      : whole;
  }

  private wholeText(): string {
    if (!this.answer) return 'Nothing has been asked yet.';
    const { url, text, token } = this.answer;
    if (this.tab === 'curl') return curlLine(url, token);
    if (this.tab === 'code') return clientCode(url);
    return JSON.stringify(JSON.parse(text), null, 2);
  }

  private async copyText(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.wholeText());
      this.copy.textContent = 'Copied';
    } catch {
      this.copy.textContent = 'Copying is not allowed here';
    }
    setTimeout(() => {
      this.copy.textContent = 'Copy';
    }, 2_000);
  }
}

/** For people: without the escapes that only a machine needs. */
function decode(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query;
  }
}

function describeBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
}
