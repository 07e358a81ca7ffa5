/** Takes the token. It goes to the caller, and is nowhere in the page afterwards. */
import { readToken } from '../../../client/src/directory.ts';
import { find } from './dom.ts';

export class TokenForm {
  private readonly form = find('token-form', HTMLFormElement);
  private readonly input = find('token', HTMLInputElement);
  private readonly fault = find('token-fault', HTMLParagraphElement);
  private readonly inUse = find('token-in-use', HTMLParagraphElement);

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
      this.input.value = '';
      this.fault.textContent = '';
      this.form.hidden = true;
      this.inUse.hidden = false;
      onToken(token);
    });
    find('forget-token', HTMLButtonElement).addEventListener('click', () => {
      onToken(null);
      this.ask(null);
    });
  }

  /** Asks for a token. @param fault what was wrong with the last one */
  ask(fault: string | null): void {
    this.form.hidden = false;
    this.inUse.hidden = true;
    this.fault.textContent = fault ?? '';
    this.input.toggleAttribute('aria-invalid', false);
    if (fault !== null) this.input.setAttribute('aria-invalid', 'true');
    this.input.focus({ preventScroll: true });
  }
}
