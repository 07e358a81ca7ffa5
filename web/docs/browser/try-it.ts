/** "Try it": sends the request of its form to the service that serves this page, with the tab's token. */
import { make } from '../../browser/make.ts';
import { changeToken, keptToken } from '../../browser/session-token.ts';
import { codeWriter } from './code-block.ts';
import { type Invented, SAMPLES, type SampleRequest } from './code-samples.ts';

/** Milliseconds after which the service is said not to answer. */
const MAX_WAIT = 10_000;

type Answer = Awaited<ReturnType<typeof askService>>;

/** What is wrong with a parameter, in a problem of status 400. */
interface Fault {
  readonly parameter: string;
  readonly detail: string;
}

/** Shows the form, whose request the samples follow. */
function setUp(form: HTMLFormElement): void {
  form.hidden = false;
  const samples = document.querySelectorAll<HTMLElement>('.operation [data-languages] pre');
  const writers = [...samples].map((block) => {
    const write = codeWriter(block);
    const sample = SAMPLES[block.dataset.language as keyof typeof SAMPLES];
    return () => write(sample(requestOf(form)));
  });
  form.oninput = () => {
    for (const write of writers) write();
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    void send(form);
  };
}

/**
 * Returns the request that the form makes, with an invented value where its field is empty. Commas stay
 * readable; an apostrophe would end the string of a sample.
 */
function requestOf(form: HTMLFormElement): SampleRequest {
  const data = new FormData(form);
  const { name = '', value, dataset } = inventedField(form) ?? {};
  const invented = value === '' ? (JSON.parse(dataset?.invented ?? '') as Invented) : undefined;
  if (invented) data.set(name, invented.text);
  let path = form.dataset.path ?? '';
  const query: string[] = [];
  for (const [parameter, content] of data) {
    const text = encodeURIComponent(String(content)).replaceAll('%2C', ',').replaceAll("'", '%27');
    if (path.includes(`{${parameter}}`)) path = path.replace(`{${parameter}}`, text);
    else if (text !== '') query.push(`${parameter}=${text}`);
  }
  const target = query.length > 0 ? `${path}?${query.join('&')}` : path;
  return { target, needsToken: 'needsToken' in form.dataset, invented };
}

/** Returns the field for which a real value can be asked, if there is one. */
const inventedField = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>('[data-invented]');

async function send(form: HTMLFormElement): Promise<void> {
  // A button that is disabled would lose the focus.
  if (form.ariaBusy) return;
  form.ariaBusy = 'true';
  try {
    show(await answerTo(form), form);
  } catch {
    const words = 'No answer came: the service cannot be reached. Try again.';
    form.nextElementSibling?.replaceChildren(make('p', { className: 'bad', role: 'alert' }, words));
  } finally {
    form.ariaBusy = null;
  }
}

/** Asks the service, for a real value first where only an invented one is known. */
async function answerTo(form: HTMLFormElement): Promise<Answer> {
  const { target, needsToken, invented } = requestOf(form);
  const token = needsToken ? keptToken() : null;
  const answer = await askService(invented?.source ?? target, token);
  const field = inventedField(form);
  if (!invented || !field || !answer.response.ok) return answer;
  const steps = invented.path.match(/\w+/g) ?? [];
  field.value = String(steps.reduce((value, step) => Object(value)[step], answer.value) ?? '');
  form.dispatchEvent(new Event('input'));
  return askService(requestOf(form).target, token);
}

function show(answer: Answer, form: HTMLFormElement): void {
  form.nextElementSibling?.replaceChildren(...shownAnswer(answer));
  // A token that is refused is of no use to the other pages either.
  if (answer.response.status === 401) changeToken(null);
  showFaults(Object(answer.value).errors ?? [], form);
}

/** Shows each fault below its field, and puts the focus on the first such field. */
function showFaults(faults: readonly Fault[], form: HTMLFormElement): void {
  for (const old of form.querySelectorAll('.fault')) old.remove();
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[name]')];
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

/** Asks the service. @param target path and query */
async function askService(target: string, token: string | null) {
  const began = performance.now();
  const headers = token === null ? [] : [['x-access-token', token] as [string, string]];
  const signal = AbortSignal.timeout(MAX_WAIT);
  const response = await fetch(target, { headers, cache: 'no-store', signal });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const value: unknown = isJson ? JSON.parse(text) : undefined;
  return { target, response, text, value, milliseconds: performance.now() - began };
}

/** Returns the answer of the service as it is shown. */
function shownAnswer({ target, response, text, value, milliseconds }: Answer): Node[] {
  const { status, statusText, ok, headers } = response;
  const outcome = make('strong', { className: ok ? 'good' : 'bad' }, `${status} ${statusText}`);
  const facts = ` in ${Math.round(milliseconds)} ms, ${(text.length / 1000).toFixed(1)} kB`;
  const all = [...headers].map((header) => header.join(': '));
  const shown = value === undefined ? text : JSON.stringify(value, null, 2);
  const summary = make('summary', {}, 'Headers');
  return [
    make('p', {}, make('code', {}, `GET ${target}`)),
    make('p', { role: 'status' }, outcome, facts, ...linkToProblem(value)),
    make('details', {}, summary, make('pre', { tabIndex: 0 }, all.join('\n'))),
    make('pre', { tabIndex: 0, role: 'region', ariaLabel: 'Body of the answer' }, shown),
  ];
}

/** Returns a link to the page about a problem. */
function linkToProblem(value: unknown): (Node | string)[] {
  const { type, title } = Object(value) as Readonly<Record<string, string>>;
  if (!type?.startsWith('/docs/problems/')) return [];
  return [': ', make('a', { href: type }, title ?? type)];
}

const form = document.querySelector<HTMLFormElement>('try-it > form');
if (form) setUp(form);
