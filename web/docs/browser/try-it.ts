/** `try-it`: sends the request of its form to the service that serves this page, with the tab's token. */
import { make } from '../../browser/make.ts';
import { changeToken, keptToken } from '../../browser/session-token.ts';

type Answer = Awaited<ReturnType<typeof askService>>;

class TryIt extends HTMLElement {
  private readonly form = this.querySelector(':scope > form') as HTMLFormElement;
  private readonly answer = this.querySelector('.answer') as HTMLElement;
  private readonly needsToken = this.querySelector('token-control') !== null;

  connectedCallback(): void {
    this.form.onsubmit = (event) => {
      event.preventDefault();
      void this.send();
    };
  }

  private async send(): Promise<void> {
    const token = this.needsToken ? keptToken() : null;
    const button = this.form.querySelector('button') as HTMLButtonElement;
    button.disabled = true;
    try {
      for (const input of this.form.querySelectorAll<HTMLInputElement>('[data-source]')) {
        if (input.value !== '') continue;
        const answer = await askService(input.dataset.source ?? '', token);
        if (!answer.response.ok) return this.show(answer);
        const { headers } = answer.response;
        const [store] = JSON.parse(answer.text).docs;
        input.value = store?.slug ?? headers.get('x-snapshot-release') ?? '';
      }
      const target = targetOf(this.dataset.path ?? '', new FormData(this.form));
      this.show(await askService(target, token));
    } catch {
      const words = 'No answer came: the service cannot be reached. Try again.';
      this.answer.replaceChildren(make('p', { className: 'bad', role: 'alert' }, words));
    } finally {
      button.disabled = false;
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

/** Path and query. Commas stay to be read. */
function targetOf(path: string, data: FormData): string {
  let whole = path;
  const query: string[] = [];
  for (const [name, value] of data) {
    const text = encodeURIComponent(String(value)).replaceAll('%2C', ',');
    if (path.includes(`{${name}}`)) whole = whole.replace(`{${name}}`, text);
    else if (text !== '') query.push(`${name}=${text}`);
  }
  return query.length > 0 ? `${whole}?${query.join('&')}` : whole;
}

/** @param target path and query */
async function askService(target: string, token: string | null) {
  const began = performance.now();
  const headers = token === null ? [] : [['x-access-token', token] as [string, string]];
  const response = await fetch(target, { headers, cache: 'no-store' });
  const text = await response.text();
  return { target, response, text, milliseconds: performance.now() - began };
}

/** What the service answered, as it is shown to people. */
function shownAnswer({ target, response, text, milliseconds }: Answer): Node[] {
  const { status, statusText, ok, headers } = response;
  const isJson = headers.get('content-type')?.includes('json');
  const value: unknown = isJson ? JSON.parse(text) : undefined;
  const outcome = make('strong', { className: ok ? 'good' : 'bad' }, `${status} ${statusText}`);
  const facts = ` in ${Math.round(milliseconds)} ms, ${(text.length / 1000).toFixed(1)} kB`;
  const all = [...headers].map(([name, content]) => `${name}: ${content}`);
  const shown = isJson ? JSON.stringify(value, null, 2) : text;
  const body = make('pre', { tabIndex: 0, role: 'region', ariaLabel: 'Body of the answer' }, shown);
  return [
    make('p', {}, make('code', {}, `GET ${target}`)),
    make('p', { role: 'status' }, outcome, facts, ...meaning(value)),
    make(
      'details',
      {},
      make('summary', {}, 'Headers'),
      make('pre', { tabIndex: 0 }, all.join('\n')),
    ),
    body,
  ];
}

/** Of a problem: the page about it. */
function meaning(value: unknown): (Node | string)[] {
  const { type, title } = Object(value) as Readonly<Record<string, string>>;
  if (!type?.startsWith('/docs/problems/')) return [];
  return [': ', make('a', { href: type }, title ?? type)];
}

customElements.define('try-it', TryIt);
