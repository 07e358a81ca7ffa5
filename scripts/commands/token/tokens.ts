/** `token list`, `token show` and `token revoke`: the tokens that are stored. */
import { declarePlace, type PlaceOptions, placeName } from '../../cli/environment-option.ts';
import { defineCommand } from '../../cli/run-command.ts';
import { withTokenStore } from '../../storage/open-target.ts';
import { revokeToken } from '../../token/revoke-token.ts';
import { factsOf, findToken, readTokens } from '../../token/stored-token.ts';
import { describeToken, describeTokens } from '../../token/token-report.ts';
import { declareId } from './options.ts';

export const listCommand = defineCommand<PlaceOptions>('list', {
  summary: 'List the tokens of an environment',
  declare: (command) => declarePlace(command, 'whose tokens'),
  examples: [
    ['--env production --remote', 'those that partners use, with state, scopes and end'],
    ['', 'those of development, on this machine'],
  ],
  run: async (options, context) => {
    const tokens = await withTokenStore(options, context, async (store) => {
      const stored = await readTokens(store);
      return stored.map((token) => factsOf(token, store.now()));
    });
    return {
      data: { environment: options.env, tokens },
      text: () => describeTokens(tokens, placeName(options)),
    };
  },
});

export const showCommand = defineCommand<PlaceOptions>('show', {
  summary: 'Show all that is stored of a token: everything but its secret',
  declare: declareId,
  examples: [
    ['0f3a5c7e9b1d --env production --remote', 'state, partner, scopes, dates, UTM, note'],
  ],
  run: async (options, context, id = '') => {
    const token = await withTokenStore(options, context, async (store) => {
      const found = await findToken(store, id);
      return factsOf(found, store.now());
    });
    return {
      data: { environment: options.env, ...token },
      text: () => describeToken(token),
    };
  },
});

export const revokeCommand = defineCommand<PlaceOptions>('revoke', {
  summary: 'Revoke a token by its public id',
  declare: declareId,
  examples: [['0f3a5c7e9b1d --env production --remote', 'refused everywhere within two minutes']],
  run: async (options, context, id = '') => {
    const { token, wasRevoked } = await withTokenStore(options, context, (store) =>
      revokeToken(store, id, Date.now()),
    );
    const before = wasRevoked ? `had been revoked before, ${token.revokedAt}` : 'is revoked';
    return {
      data: { environment: options.env, ...token, wasRevoked },
      text: () => `${placeName(options)}: token ${token.id} of ${token.partner} ${before}.`,
    };
  },
});
