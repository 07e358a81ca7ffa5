/** `token-control`: the token of the tab, in the header and wherever a request is tried, to be entered or forgotten. */
import { make } from './make.ts';
import {
  changeToken,
  keptToken,
  TOKEN_CHANGE,
  TOKEN_RULE,
  takeTokenFromAddress,
} from './session-token.ts';

class TokenControl extends HTMLElement {
  connectedCallback(): void {
    this.show();
    window.addEventListener(TOKEN_CHANGE, () => this.show());
  }

  private show(): void {
    const hadFocus = this.contains(document.activeElement);
    this.replaceChildren(...(keptToken() === null ? addition() : removal()));
    if (hadFocus) this.querySelector('button')?.focus();
  }
}

function removal(): Node[] {
  const onclick = () => changeToken(null);
  const properties = { className: 'link', ariaLabel: 'Forget the token', onclick };
  return [make('span', {}, 'Token in use · '), make('button', properties, 'Forget')];
}

function addition(): Node[] {
  // Neither shown nor suggested again.
  const properties = { type: 'password', autocomplete: 'off', required: true } as const;
  const input = make('input', { ...properties, ...TOKEN_RULE });
  const form = make(
    'form',
    {
      className: 'token-form',
      popover: 'auto',
      onsubmit: (event) => {
        event.preventDefault();
        changeToken(input.value);
      },
      ontoggle: () => input.focus(),
    },
    make('label', {}, 'Access token', input),
    make('p', {}, 'It stays in this tab until you close it.'),
    make('button', { className: 'main' }, 'Use this token'),
  );
  const button = make('button', { popoverTargetElement: form }, 'Add token');
  return [button, form];
}

// Before the control says whether there is one.
takeTokenFromAddress();
customElements.define('token-control', TokenControl);
