import { useEffect, useState } from 'preact/hooks';
import type { FieldPath } from '../../../../client/src/fields.ts';
import { find } from '../dom.ts';
import { clientCode, curlLine } from '../model/client-code.ts';
import { request } from '../model/current.ts';
import type { Answer } from '../model/found.ts';
import { latest } from '../model/latest.ts';
import { count } from '../model/words.ts';
import { service } from '../service/inquiry.ts';
import { CopyButton } from './CopyButton.tsx';

/** Characters of an answer that are shown; a browser takes seconds to lay out a megabyte. */
const MAX_SHOWN = 60_000;

/** What a request can be shown as. */
const FORMS = {
  curl: ({ url }: Answer) => curlLine(url),
  TypeScript: ({ call }: Answer) => clientCode(call),
  Answer: ({ text }: Answer) => indented(text),
} as const;
type Form = keyof typeof FORMS;

/** The request of the list with the fields that were picked; null while none are. */
const choosing = latest<Answer | null>(null);
const withFields = choosing.value;

/** Shows the last request as it was sent, whether it was answered or failed. */
export function RequestPanel() {
  const [form, setForm] = useState<Form>('curl');
  const sent = withFields.value ?? request.value;
  if (!sent) return null;
  const text = FORMS[form](sent);
  return (
    <details id="request-panel">
      <summary>
        <span>Request</span>
        <code id="request-line" class="note">
          {requestLine(sent.url)}
        </code>
        <span id="request-figures" class={sent.status === 200 ? 'note' : 'fault'}>
          {figures(sent)}
        </span>
      </summary>
      <div>
        <fieldset id="request-form">
          <legend class="unseen">Shown as</legend>
          {(Object.keys(FORMS) as Form[]).map((name) => (
            <label key={name} class="chip">
              <input
                type="radio"
                name="form"
                checked={name === form}
                onChange={() => setForm(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <CopyButton name="Copy" text={text} />
      </div>
      {/* biome-ignore lint/a11y: what scrolls has to be reached by keys. */}
      <pre id="request-text" role="region" tabIndex={0} aria-label="The request">
        {cut(text)}
      </pre>
      <FieldChooser />
    </details>
  );
}

/** Lets the reader pick the fields of the list's answer. */
function FieldChooser() {
  const [picked, setPicked] = useState<readonly FieldPath[]>([]);
  const [part, setPart] = useState('');
  const answer = request.value;
  useEffect(() => {
    choosing.end();
    withFields.value = null;
    // A field within another one is part of it.
    const fields = picked.filter((path) => !picked.some((other) => path.startsWith(`${other}.`)));
    if (fields.length === 0 || answer?.call.id !== null || answer.status !== 200) return;
    const query = { ...answer.call.query, at: undefined, fields };
    choosing.begin('fields', async (show, job) => {
      await service.value?.list(query, job, show);
    });
  }, [answer, picked]);
  const paths = (find('explore').dataset.fields ?? '').split(' ') as FieldPath[];
  return (
    <details>
      <summary>
        Fields of the answer:{' '}
        {picked.length === 0 ? 'what the page needs' : `${picked.length} chosen`}
      </summary>
      <label for="find-field">Find a field</label>
      <input
        id="find-field"
        type="search"
        onInput={(event) => setPart(event.currentTarget.value.trim().toLowerCase())}
      />
      <fieldset id="fields">
        <legend class="unseen">Fields</legend>
        {paths
          .filter((path) => path.toLowerCase().includes(part))
          .map((path) => (
            <label key={path}>
              <input
                type="checkbox"
                checked={picked.includes(path)}
                onChange={({ currentTarget: { checked } }) =>
                  setPicked(checked ? [...picked, path] : picked.filter((other) => other !== path))
                }
              />{' '}
              {path}
            </label>
          ))}
      </fieldset>
    </details>
  );
}

/** Writes an address for people: without the escapes that only a machine needs. */
function requestLine(url: string): string {
  const { pathname, search } = new URL(url);
  return `GET ${pathname}${decodeURIComponent(search)}`;
}

/** Writes status, code of the problem, time and size. */
function figures({ status, text, time }: Answer): string {
  const after = `${Math.round(time)} ms`;
  if (status === 0) return `No answer after ${after}`;
  const code = status === 200 ? '' : ` ${parsed(text)?.code ?? ''}`;
  return `${status}${code} in ${after}, ${describeSize(text)}`;
}

function indented(text: string): string {
  const value = parsed(text);
  return value ? JSON.stringify(value, null, 2) : text;
}

/** Reads an answer; null where a proxy in between has answered, without JSON. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function cut(text: string): string {
  const rest = text.length - MAX_SHOWN;
  if (rest <= 0) return text;
  return `${text.slice(0, MAX_SHOWN)}\n… (${count(rest)} characters more: Copy takes all of it)`;
}

function describeSize(text: string): string {
  const bytes = new Blob([text]).size;
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
}
