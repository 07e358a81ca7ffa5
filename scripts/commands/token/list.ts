/** `token list`: the tokens that are stored. */
import { type PlaceOptions, placeName } from '../../cli/common-options.ts';
import type { CommandContext } from '../../cli/run-command.ts';
import { openTokens } from '../../storage/open-target.ts';
import { factsOf, readTokens } from '../../token/stored-token.ts';
import { describeTokens } from '../../token/token-report.ts';

export async function run(options: PlaceOptions, context: CommandContext) {
  await using store = await openTokens(options, context);
  const stored = await readTokens(store);
  const tokens = stored.map((token) => factsOf(token, store.now()));
  return {
    data: { environment: options.env, tokens },
    text: () => describeTokens(tokens, placeName(options)),
  };
}
