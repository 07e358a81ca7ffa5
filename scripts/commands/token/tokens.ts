/** `token list`, `token show` and `token revoke`: the tokens that are stored. */
import { factsOf, findToken, readTokens, revokeToken } from '../../token/stored-token.ts';
import { describeToken, describeTokens } from '../../token/token-report.ts';
import { defineTokenCommand } from '../placed-command.ts';
import { declareId } from './options.ts';

export const listCommand = defineTokenCommand('list', {
  summary: 'List the tokens of an environment',
  examples: [
    [
      '--env production --remote',
      'lists the tokens that partners use, with state, scopes and expiry',
    ],
    ['', 'lists the tokens of development on this machine'],
  ],
  run: async (store, options) => {
    const stored = await readTokens(store);
    const tokens = stored.map((token) => factsOf(token, store.now()));
    return {
      data: { environment: options.env, tokens },
      text: () => describeTokens(tokens, options.place),
    };
  },
});

export const showCommand = defineTokenCommand('show', {
  summary: 'Show what is stored of a token: everything except its secret',
  declare: declareId,
  examples: [
    [
      '0f3a5c7e9b1d --env production --remote',
      'shows state, partner, scopes, dates, UTM parameters and note',
    ],
  ],
  run: async (store, options, _context, id = '') => {
    const token = factsOf(await findToken(store, id), store.now());
    return {
      data: { environment: options.env, ...token },
      text: () => describeToken(token),
    };
  },
});

export const revokeCommand = defineTokenCommand('revoke', {
  summary: 'Revoke a token, named by its public id',
  declare: declareId,
  examples: [
    [
      '0f3a5c7e9b1d --env production --remote',
      'the token is refused everywhere within two minutes',
    ],
  ],
  run: async (store, options, _context, id = '') => {
    const { token, wasRevoked } = await revokeToken(store, id);
    const before = wasRevoked ? `had been revoked before, ${token.revokedAt}` : 'is revoked';
    return {
      data: { environment: options.env, ...token, wasRevoked },
      text: () => `${options.place}: token ${token.id} of ${token.partner} ${before}.`,
    };
  },
});
