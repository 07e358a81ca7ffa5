import { changeToken, TOKEN_RULE } from '../../../browser/session-token.ts';
import { tokenFault } from '../model/current.ts';

/** Stands instead of filters and list while there is no token. */
export const TokenForm = () => (
  <form id="token-form" autocomplete="off" onSubmit={submit}>
    <h2>Find a store near you</h2>
    <p>Stores are shown to those who have an access token of the service.</p>
    <label for="token">Access token</label>
    <div class="row">
      <input
        id="token"
        name="token"
        type="password"
        required
        {...TOKEN_RULE}
        aria-describedby="token-fault token-note"
        aria-invalid={tokenFault.value !== '' || undefined}
      />
      <button type="submit" class="main">
        Show stores
      </button>
    </div>
    <p id="token-fault" class="fault" role="alert">
      {tokenFault.value}
    </p>
    <p id="token-note" class="note">
      It is kept until you close this tab, for all pages of this site, and is never part of an
      address. <a href="/docs">Where to get one</a>
    </p>
  </form>
);

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  changeToken(String(new FormData(form).get('token')));
}
