/** The token of the tab: whether there is one in the header, and the form that takes it. */
import { readToken } from '../../../client/src/directory.ts';
import { forgetToken, keepToken, keptToken } from '../../browser/session-token.ts';
import { find, tellFault } from './dom.ts';

export class TokenControl {
  private readonly form = find('token-form', HTMLFormElement);
  private readonly input = find('token', HTMLInputElement);

  /** @param onToken told of a token, or of null when it is to be forgotten */
  constructor(onToken: (token: string | null) => void) {
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      const token = this.input.value.trim();
      try {
        readToken(token);
      } catch {
        this.ask('A token has letters, digits and signs, and no spaces.');
        return;
      }
      keepToken(token);
      this.input.value = '';
      this.show();
      onToken(token);
    });
    find('add-token', HTMLButtonElement).addEventListener('click', () => this.ask());
    find('forget-token', HTMLButtonElement).addEventListener('click', () => {
      forgetToken();
      onToken(null);
      this.ask();
    });
  }

  /** Says whether there is a token. */
  show(): void {
    const hasToken = keptToken() !== null;
    find('token-in-use', HTMLElement).hidden = !hasToken;
    find('add-token', HTMLButtonElement).hidden = hasToken;
    tellFault('token', '');
  }

  /** Puts the user before the form. @param fault what was wrong with the last token, if anything was */
  ask(fault = ''): void {
    this.show();
    tellFault('token', fault);
    this.input.focus({ preventScroll: true });
  }
}
