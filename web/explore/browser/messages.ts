/** What the page says of its state: in a line above the list, or in the place of the list. */
import { make } from '../../browser/make.ts';
import { find } from './dom.ts';

/** What the user can do next, by a button. */
export interface Action {
  readonly text: string;
  readonly run: () => void;
}

const status = find('status');
const place = find('message');

/** Tells what the page is doing, or has found. */
export function say(text: string): void {
  // The same words again would be read out again.
  if (status.textContent !== text) status.textContent = text;
}

/** Shows a message in the place of the list. */
export function showMessage(title: string, text: string, actions: readonly Action[]): void {
  place.hidden = false;
  place.replaceChildren(
    make('h2', {}, title),
    make('p', {}, text),
    make('div', { className: 'actions' }, ...actions.map((action) => button(action))),
  );
}

/** Shows the list again. */
export function hideMessage(): void {
  place.hidden = true;
}

/** Notes below the status, each with something to press. */
export function showNotes(notes: readonly (readonly [text: string, action: Action])[]): void {
  find('notes').replaceChildren(
    ...notes.map(([text, action]) =>
      make('p', { className: 'note' }, `${text}: `, button(action, 'link')),
    ),
  );
}

function button({ text, run }: Action, className = ''): HTMLButtonElement {
  return make('button', { className, onclick: run }, text);
}
