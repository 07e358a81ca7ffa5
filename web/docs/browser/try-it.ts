/** "Try it": sends the request of its form to the service that serves this page, with the tab's token. */

import type { ParameterFault } from '../../../src/model/problem.ts';
import { make } from '../../browser/make.ts';
import { changeToken, keptToken } from '../../browser/session-token.ts';
import { replaceInCode } from './code-block.ts';

/** Milliseconds after which the service is said not to answer. */
const MAX_WAIT = 10_000;

type Answer = Awaited<ReturnType<typeof askService>>;

/** Shows the form, whose request the samples follow. */
function setUp(form: HTMLFormElement): void {
  form.hidden = false;
  let shown = form.dataset.sample ?? '';
  form.oninput = () => {
    const target = targetOf(form);
    for (const sample of document.querySelectorAll('.operation [data-languages]')) {
      replaceInCode(sample, shown, target);
    }
    shown = target;
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    void send(form);
  };
}

/**
 * Returns path and query of the request that the form makes, with an invented value where its field is empty.
 * Commas stay readable; an apostrophe would end the string of a sample.
 */
function targetOf(form: HTMLFormElement): string {
  let target = form.dataset.path ?? '';
  for (const input of form.querySelectorAll<HTMLInputElement>('[name]')) {
    const { name, value, placeholder, dataset } = input;
    const content = value === '' && dataset.source ? placeholder : value;
    const text = encodeURIComponent(content).replaceAll('%2C', ',').replaceAll("'", '%27');
    if (target.includes(`{${name}}`)) target = target.replace(`{${name}}`, text);
    else if (text !== '') target += `${target.includes('?') ? '&' : '?'}${name}=${text}`;
  }
  return target;
}

async function send(form: HTMLFormElement): Promise<void> {
  const shown = form.nextElementSibling;
  try {
    const answer = await answerTo(form);
    shown?.replaceChildren(...shownAnswer(answer));
    // A token that is refused is of no use to the other pages either.
    if (answer.response.status === 401) changeToken(null);
    showFaults(answer.body.errors ?? [], form);
  } catch {
    const words = 'No answer came: the service cannot be reached. Try again.';
    shown?.replaceChildren(make('p', { className: 'bad', role: 'alert' }, words));
  }
}

/** Asks the service, for a real value first where only an invented one is known. */
async function answerTo(form: HTMLFormElement): Promise<Answer> {
  const token = 'needsToken' in form.dataset ? keptToken() : null;
  const field = form.querySelector<HTMLInputElement>('[data-source]');
  if (field?.value === '') {
    const { source = '', name } = field.dataset;
    const answer = await askService(source, token);
    if (!answer.response.ok) return answer;
    field.value = new RegExp(`"${name}":"(.*?)"`).exec(answer.text)?.[1] ?? '';
    form.dispatchEvent(new Event('input'));
  }
  return askService(targetOf(form), token);
}

/** Shows each fault below its field, and puts the focus on the first such field. */
function showFaults(faults: readonly ParameterFault[], form: HTMLFormElement): void {
  for (const old of form.querySelectorAll('.fault')) old.remove();
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[name]')];
  for (const input of inputs.reverse()) {
    const own = faults.filter(({ parameter }) => parameter === input.name);
    input.ariaInvalid = own.length > 0 ? 'true' : null;
    if (own.length === 0) continue;
    // In the label, so that it is read out with the name of the field.
    const details = own.map(({ detail }) => detail).join(' ');
    input.after(make('span', { className: 'fault bad' }, details));
    const folded = input.closest('details');
    if (folded) folded.open = true;
    input.focus();
  }
}

/** Asks the service. @param target path and query */
async function askService(target: string, token: string | null) {
  const began = performance.now();
  const headers = new Headers(token === null ? {} : { 'x-access-token': token });
  const signal = AbortSignal.timeout(MAX_WAIT);
  const response = await fetch(target, { headers, cache: 'no-store', signal });
  const text = await response.text();
  const milliseconds = performance.now() - began;
  return { target, response, text, body: JSON.parse(text), milliseconds };
}

/** Returns the answer of the service as it is shown. */
function shownAnswer({ target, response, text, body, milliseconds }: Answer): Node[] {
  const { status, statusText, ok, headers } = response;
  const outcome = make('strong', { className: ok ? 'good' : 'bad' }, `${status} ${statusText}`);
  const facts = ` in ${Math.round(milliseconds)} ms, ${(text.length / 1000).toFixed(1)} kB`;
  const problem = ok ? [] : [': ', make('a', { href: body.type }, body.title)];
  const all = [...headers].map((header) => header.join(': '));
  const whole = JSON.stringify(body, null, 2);
  return [
    make('p', {}, make('code', {}, `GET ${target}`)),
    make('p', { role: 'status' }, outcome, facts, ...problem),
    make(
      'details',
      {},
      make('summary', {}, 'Headers'),
      make('pre', { tabIndex: 0 }, all.join('\n')),
    ),
    make('pre', { tabIndex: 0, role: 'region', ariaLabel: 'Body of the answer' }, whole),
  ];
}

const form = document.querySelector<HTMLFormElement>('try-it > form');
if (form) setUp(form);
