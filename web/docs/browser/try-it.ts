/** `try-it`: sends the request of an operation to the service that serves this page, with the tab's token. */
import { make } from '../../browser/make.ts';
import { keptToken } from '../../browser/session-token.ts';
import { changeToken, TOKEN_CHANGE, tokenInput } from '../../browser/token-control.ts';
import { type Answer, shownAnswer } from './shown-answer.ts';

export interface FormParameter {
  readonly name: string;
  readonly required: boolean;
  /** All that it may hold, where it is one of a few words; else empty. */
  readonly choices: readonly string[];
  readonly example: string;
  /** With which the form begins. */
  readonly value: string;
  /** Where the example is invented: the request whose answer has a real one. */
  readonly source?: string;
}

export interface RequestForm {
  readonly path: string;
  readonly needsToken: boolean;
  /** Of its path and query. */
  readonly parameters: readonly FormParameter[];
}

class TryIt extends HTMLElement {
  private readonly token = tokenInput();
  private readonly button = make('button', { type: 'submit' }, 'Send request');
  private readonly answer = make('div', { className: 'answer' });
  private readonly form = make('form');

  connectedCallback(): void {
    const operation = JSON.parse(this.dataset.operation ?? '') as RequestForm;
    const isFirst = ({ required, value }: FormParameter) => required || value !== '';
    const first = operation.parameters.filter(isFirst).map(fieldOf);
    const more = operation.parameters.filter((each) => !isFirst(each)).map(fieldOf);
    const token = make('label', {}, 'Access token', this.token);
    const showToken = () => {
      token.hidden = !operation.needsToken || keptToken() !== null;
      this.token.disabled = token.hidden;
      this.token.value = '';
    };
    showToken();
    window.addEventListener(TOKEN_CHANGE, showToken);
    const summary = make('summary', {}, `More parameters (${more.length})`);
    const folded = more.length > 0 ? [make('details', {}, summary, ...more)] : [];
    this.form.append(token, ...first, ...folded, this.button);
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.send(operation);
    });
    this.replaceChildren(this.form, this.answer);
  }

  private async send(operation: RequestForm): Promise<void> {
    if (!this.token.disabled) changeToken(this.token.value);
    const token = operation.needsToken ? keptToken() : null;
    this.button.disabled = true;
    try {
      for (const { name, source } of operation.parameters) {
        const input = this.form.elements.namedItem(name) as HTMLInputElement;
        if (source === undefined || input.value !== '') continue;
        const answer = await askService(source, token);
        if (!answer.response.ok) return this.show(answer);
        const { headers } = answer.response;
        const [store] = JSON.parse(answer.text).docs;
        input.value = store?.slug ?? headers.get('x-snapshot-release') ?? '';
      }
      this.show(await askService(targetOf(operation, new FormData(this.form)), token));
    } catch {
      const words = 'No answer came: the service cannot be reached. Try again.';
      this.answer.replaceChildren(make('p', { className: 'bad', role: 'alert' }, words));
    } finally {
      this.button.disabled = false;
    }
  }

  private show(answer: Answer): void {
    this.answer.replaceChildren(...shownAnswer(answer));
    // A token that is refused is of no use to the other pages either.
    if (answer.response.status === 401) changeToken(null);
    // Where the column scrolls by itself, the answer may be below what is to be seen of it.
    const column = this.closest('.samples');
    if (column) column.scrollTop = this.answer.offsetTop;
  }
}

async function askService(target: string, token: string | null): Promise<Answer> {
  const began = performance.now();
  const headers = token === null ? [] : [['x-access-token', token] as [string, string]];
  const response = await fetch(target, { headers, cache: 'no-store' });
  const text = await response.text();
  return { target, response, text, time: performance.now() - began };
}

/** One whose example is invented may stay empty: the form asks for a real one. */
function fieldOf({ name, required, choices, example, value, source }: FormParameter): HTMLElement {
  const options = ['', ...choices].map((choice) => make('option', {}, choice));
  const isNeeded = required && source === undefined;
  const placeholder = source === undefined ? example : 'empty: any that exists';
  const input =
    choices.length > 0
      ? make('select', { name, required: isNeeded }, ...options)
      : make('input', { name, required: isNeeded, placeholder, autocomplete: 'off' });
  input.value = value;
  return make('label', {}, make('code', {}, name), input);
}

/** Path and query. Commas stay to be read. */
function targetOf({ path }: RequestForm, data: FormData): string {
  const filled = [...data].filter(([, value]) => value !== '');
  const isInPath = (name: string) => path.includes(`{${name}}`);
  const query = filled
    .filter(([name]) => !isInPath(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
    .replaceAll('%2C', ',');
  const whole = filled.reduce(
    (steps, [name, value]) => steps.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  return query === '' ? whole : `${whole}?${query}`;
}

customElements.define('try-it', TryIt);
