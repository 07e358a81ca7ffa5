/** `try-it`: sends the request of its form to the service that serves this page, with the tab's token. */
import { make } from '../../browser/make.ts';
import { changeToken, keptToken } from '../../browser/session-token.ts';
import { codeWriter } from './code-block.ts';
import { type Invented, SAMPLES, type SampleRequest } from './code-samples.ts';

const SAMPLE_BLOCKS = '[data-languages] pre';

type Answer = Awaited<ReturnType<typeof askService>>;

/** What is wrong with a parameter, in a problem of status 400. */
interface Fault {
  readonly parameter: string;
  readonly detail: string;
}

class TryIt extends HTMLElement {
  private readonly form = this.querySelector(':scope > form') as HTMLFormElement;
  private readonly answer = this.querySelector('.answer') as HTMLElement;
  private readonly needsToken = this.querySelector('token-control') !== null;

  connectedCallback(): void {
    this.form.onsubmit = (event) => {
      event.preventDefault();
      void this.send();
    };
    const samples = this.closest('.operation')?.querySelectorAll<HTMLElement>(SAMPLE_BLOCKS) ?? [];
    const writers = [...samples].map((block) => {
      const write = codeWriter(block);
      const sample = SAMPLES[block.dataset.language as keyof typeof SAMPLES];
      return () => write(sample(this.request()));
    });
    this.form.oninput = () => {
      for (const write of writers) write();
    };
  }

  /** Returns the request that the form makes, with invented values where fields are empty. */
  private request(): SampleRequest {
    const data = new FormData(this.form);
    const empty = this.emptyField();
    if (empty) data.set(empty.input.name, empty.invented.text);
    const target = this.targetOf(data);
    return { target, needsToken: this.needsToken, invented: empty?.invented };
  }

  /** Returns the field for which a real value can be asked, while it is empty. */
  private emptyField() {
    const input = this.form.querySelector<HTMLInputElement>('[data-invented]');
    if (input?.value !== '') return null;
    return { input, invented: JSON.parse(input.dataset.invented ?? '') as Invented };
  }

  private async send(): Promise<void> {
    const token = this.needsToken ? keptToken() : null;
    const button = this.form.querySelector('.main') as HTMLButtonElement;
    button.disabled = true;
    try {
      const empty = this.emptyField();
      if (empty) {
        const { source, name } = empty.invented;
        const answer = await askService(source, token);
        if (!answer.response.ok) return this.show(answer);
        empty.input.value = answer.text.match(`"${name}":"([^"]*)"`)?.[1] ?? '';
        this.form.dispatchEvent(new Event('input'));
      }
      this.show(await askService(this.targetOf(new FormData(this.form)), token));
    } catch {
      const words = 'No answer came: the service cannot be reached. Try again.';
      this.answer.replaceChildren(make('p', { className: 'bad', role: 'alert' }, words));
    } finally {
      button.disabled = false;
    }
  }

  private show(answer: Answer): void {
    const value: unknown = answer.isJson ? JSON.parse(answer.text) : undefined;
    this.answer.replaceChildren(...shownAnswer(answer, value));
    // A token that is refused is of no use to the other pages either.
    if (answer.response.status === 401) changeToken(null);
    this.showFaults(Object(value).errors ?? []);
  }

  /** Shows each fault below its field, and puts the focus on the first such field. */
  private showFaults(faults: readonly Fault[]): void {
    for (const old of this.form.querySelectorAll('.fault')) old.remove();
    const inputs = [...this.form.querySelectorAll<HTMLInputElement>('[name]')];
    for (const input of inputs.reverse()) {
      const own = faults.filter(({ parameter }) => parameter === input.name);
      input.ariaInvalid = own.length > 0 ? 'true' : null;
      input.removeAttribute('aria-describedby');
      if (own.length === 0) continue;
      const id = `fault-${input.name}`;
      const details = own.map(({ detail }) => detail).join(' ');
      input.setAttribute('aria-describedby', id);
      input.closest('label')?.after(make('p', { className: 'fault bad', id }, details));
      const folded = input.closest('details');
      if (folded) folded.open = true;
      input.focus();
    }
  }

  /** Returns path and query. Commas stay readable; an apostrophe would end the string of a sample. */
  private targetOf(data: FormData): string {
    let path = this.dataset.path ?? '';
    const query: string[] = [];
    for (const [name, value] of data) {
      const text = encodeURIComponent(String(value)).replaceAll('%2C', ',').replaceAll("'", '%27');
      if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, text);
      else if (text !== '') query.push(`${name}=${text}`);
    }
    return query.length > 0 ? `${path}?${query.join('&')}` : path;
  }
}

/** Asks the service. @param target path and query */
async function askService(target: string, token: string | null) {
  const began = performance.now();
  const headers = token === null ? [] : [['x-access-token', token] as [string, string]];
  const response = await fetch(target, { headers, cache: 'no-store' });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { target, response, text, isJson, milliseconds: performance.now() - began };
}

/** Returns the answer of the service as it is shown. */
function shownAnswer(answer: Answer, value: unknown): Node[] {
  const { target, response, text, isJson, milliseconds } = answer;
  const { status, statusText, ok, headers } = response;
  const outcome = make('strong', { className: ok ? 'good' : 'bad' }, `${status} ${statusText}`);
  const facts = ` in ${Math.round(milliseconds)} ms, ${(text.length / 1000).toFixed(1)} kB`;
  const all = [...headers].map(([name, content]) => `${name}: ${content}`);
  const shown = isJson ? JSON.stringify(value, null, 2) : text;
  const body = make('pre', { tabIndex: 0, role: 'region', ariaLabel: 'Body of the answer' }, shown);
  return [
    make('p', {}, make('code', {}, `GET ${target}`)),
    make('p', { role: 'status' }, outcome, facts, ...linkToProblem(value)),
    make(
      'details',
      {},
      make('summary', {}, 'Headers'),
      make('pre', { tabIndex: 0 }, all.join('\n')),
    ),
    body,
  ];
}

/** Returns a link to the page about a problem. */
function linkToProblem(value: unknown): (Node | string)[] {
  const { type, title } = Object(value) as Readonly<Record<string, string>>;
  if (!type?.startsWith('/docs/problems/')) return [];
  return [': ', make('a', { href: type }, title ?? type)];
}

customElements.define('try-it', TryIt);
