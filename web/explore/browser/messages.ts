/** What the page says of its state: in a line above the list, or in the place of the list. */
import { find, make } from './dom.ts';

/** What the user can do next, by a button. */
export interface Action {
  readonly text: string;
  readonly run: () => void;
}

export interface Message {
  readonly title: string;
  readonly text: string;
  readonly actions: readonly Action[];
}

/** Tells what the page is doing, or has found. */
export function say(text: string): void {
  const place = find('status', HTMLParagraphElement);
  // The same words again would be read out again.
  if (place.textContent !== text) place.textContent = text;
}

/** Shows a message in the place of the list, or the list again. */
export function showMessage(message: Message | null): void {
  const place = find('message', HTMLElement);
  place.hidden = message === null;
  if (!message) place.replaceChildren();
  else
    place.replaceChildren(
      make('h2', {}, message.title),
      make('p', {}, message.text),
      make('div', { className: 'actions' }, ...message.actions.map(button)),
    );
}

/** Notes below the status, each with something to press. */
export function showNotes(notes: readonly { readonly text: string; readonly action: Action }[]) {
  find('notes', HTMLElement).replaceChildren(
    ...notes.map(({ text, action }) =>
      make('p', { className: 'note' }, `${text}: `, button(action)),
    ),
  );
}

function button({ text, run }: Action): HTMLButtonElement {
  const element = make('button', { type: 'button' }, text);
  element.addEventListener('click', run);
  return element;
}
