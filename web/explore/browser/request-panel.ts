/** The last request, as a shell and a program write it, and its answer, with the fields that are chosen. */
import { untracked } from '@preact/signals';
import type { FieldPath } from '../../../client/src/fields.ts';
import { find } from './dom.ts';
import { clientCode } from './model/client-code.ts';
import { request } from './model/current.ts';
import type { Answer } from './model/found.ts';
import { curlLine } from './model/question.ts';
import { answerWith } from './service/inquiry.ts';

/** Characters of an answer that are shown; a browser takes seconds to lay out a megabyte. */
const MOST_SHOWN = 60_000;

const panel = find('request-panel', HTMLDetailsElement);
const forms = find('request-form');
const text = find('request-text');
const copy = find('copy');
const fields = find('fields');
const search = find('find-field', HTMLInputElement);

/** Of the list, with the fields that the page itself needs. */
let listed: Answer | null = null;
let shown: Answer | null = null;

panel.ontoggle = draw;
forms.onchange = draw;
fields.onchange = () => void showRequest(listed);
search.oninput = () => {
  const wanted = search.value.trim().toLowerCase();
  for (const label of fields.querySelectorAll('label')) {
    label.hidden = !label.textContent.toLowerCase().includes(wanted);
  }
};
copy.onclick = async () => {
  try {
    await navigator.clipboard.writeText(wholeText());
    copy.textContent = 'Copied';
  } catch {
    copy.textContent = 'Copying is not allowed here';
  }
  setTimeout(() => {
    copy.textContent = 'Copy';
  }, 2_000);
};

// Only another request is shown: what the user chooses meanwhile asks for nothing here.
request.subscribe((answer) => untracked(() => void showRequest(answer)));

/** Shows a request; that of the list with the fields that are chosen in the place of the page's own. */
async function showRequest(answer: Answer | null): Promise<void> {
  if (!answer) return;
  showAnswer(answer);
  listed = answer;
  const chosen = answer.call.id === null && answer.status === 200 ? chosenFields() : [];
  if (chosen.length === 0) return;
  try {
    const other = await answerWith(chosen);
    if (other) showAnswer(other);
  } catch {
    // The request of the page stays: the search itself tells what is wrong with the service.
  }
}

function showAnswer(answer: Answer): void {
  shown = answer;
  const { pathname, search: query } = new URL(answer.url);
  // For people: without the escapes that only a machine needs.
  find('request-line').textContent = `GET ${pathname}${decodeURIComponent(query)}`;
  find('request-figures').textContent =
    `${answer.status || 'No answer'} in ${Math.round(answer.time)} ms, ${describeBytes(answer.bytes)}`;
  draw();
}

/** Fields of the answer that the user has ticked; those within another one are in it. */
function chosenFields(): readonly FieldPath[] {
  const ticked = [...fields.querySelectorAll<HTMLInputElement>(':checked')].map(
    ({ value }) => value as FieldPath,
  );
  find('fields-chosen').textContent =
    ticked.length === 0 ? 'what the page needs' : `${ticked.length} chosen`;
  return ticked.filter((path) => !ticked.some((other) => path.startsWith(`${other}.`)));
}

function draw(): void {
  if (!panel.open) return;
  const whole = wholeText();
  const rest = whole.length - MOST_SHOWN;
  text.textContent =
    rest > 0
      ? `${whole.slice(0, MOST_SHOWN)}\n… (${describeBytes(rest)} more: Copy takes all of it)`
      : whole;
}

function wholeText(): string {
  if (!shown) return 'Nothing has been asked yet.';
  const form = forms.querySelector<HTMLInputElement>(':checked')?.value;
  if (form === 'curl') return curlLine(shown.url);
  if (form === 'code') return clientCode(shown.call);
  return shown.status === 200 ? JSON.stringify(JSON.parse(shown.text), null, 2) : shown.text;
}

function describeBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
}
