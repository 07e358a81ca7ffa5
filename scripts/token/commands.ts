/** The token commands: options in, the work of one file each, a report out. */
import { READ_STORES } from '../../src/auth/scope.ts';
import { environmentOption, type PlaceOptions, remoteOption } from '../cli/environment-option.ts';
import { defineCommand } from '../cli/run-command.ts';
import { findToken, parseTokenId } from './find-token.ts';
import { issueToken } from './issue-token.ts';
import { withTokenStore } from './open-store.ts';
import { revokeToken } from './revoke-token.ts';
import { readTokens } from './stored-token.ts';
import { type IssueOptions, issueOptions, utmOf } from './token-options.ts';
import { describeIssued, describeToken, describeTokens, tokenJson } from './token-report.ts';

export const issueCommand = defineCommand<IssueOptions>({
  name: 'issue',
  summary: 'Issue a token and print it, once',
  declare: (command) => {
    command.addOption(environmentOption('whose tokens')).addOption(remoteOption());
    for (const option of issueOptions()) command.addOption(option);
  },
  examples: [
    ['--env staging --partner "Vélo Map"', 'a staging token that reads stores'],
    [
      '--env production --partner "Ski Guide" --expires 2027-05-01 --utm-source skiguide',
      'a production token for one season, with attribution',
    ],
  ],
  run: async (options, context) => {
    const { env, partner, scope, expires, note } = options;
    const order = {
      partner,
      scopes: scope.length > 0 ? [...scope] : [READ_STORES],
      expiresAt: expires ?? null,
      utm: utmOf(options),
      ...(note === undefined ? {} : { note }),
    };
    const now = Date.now();
    const issued = await withTokenStore(options, context, (store) =>
      issueToken(store, env, order, now),
    );
    return {
      data: { environment: env, token: issued.token, ...tokenJson(issued, now) },
      text: () => describeIssued(issued, env),
    };
  },
});

export const listCommand = defineCommand<PlaceOptions>({
  name: 'list',
  summary: 'List the tokens of an environment',
  declare: (command) => {
    command.addOption(environmentOption('whose tokens')).addOption(remoteOption());
  },
  examples: [
    ['--env staging', 'staging tokens with state, scopes and end'],
    ['--env production --remote', "those on Cloudflare's platform"],
  ],
  run: async (options, context) => {
    const tokens = await withTokenStore(options, context, (store) => readTokens(store));
    const now = Date.now();
    return {
      data: tokens.map((token) => tokenJson(token, now)),
      text: () => describeTokens(tokens, now),
    };
  },
});

export const showCommand = defineCommand<PlaceOptions>({
  name: 'show',
  summary: 'Show all that is stored of a token: everything but its secret',
  declare: (command) => {
    command.addOption(environmentOption('whose tokens')).addOption(remoteOption());
    command.argument('<id>', 'public id, or its first digits (at least 4)');
  },
  examples: [
    ['0f3a5c7e9b1d --env production --remote', 'state, partner, scopes, dates, UTM, note'],
  ],
  run: async (options, context, argument = '') => {
    const id = parseTokenId(argument);
    const token = await withTokenStore(options, context, (store) => findToken(store, id));
    const now = Date.now();
    return { data: tokenJson(token, now), text: () => describeToken(token, now) };
  },
});

export const revokeCommand = defineCommand<PlaceOptions>({
  name: 'revoke',
  summary: 'Revoke a token by its public id',
  declare: (command) => {
    command.addOption(environmentOption('whose tokens')).addOption(remoteOption());
    command.argument('<id>', 'public id, or its first digits (at least 4)');
  },
  examples: [['0f3a5c7e9b1d --env production --remote', 'refused everywhere within two minutes']],
  run: async (options, context, argument = '') => {
    const id = parseTokenId(argument);
    const now = Date.now();
    const revoked = await withTokenStore(options, context, (store) => revokeToken(store, id, now));
    const { partner, revokedAt } = revoked.record;
    const before = revoked.wasRevoked ? `had been revoked before, ${revokedAt}` : 'is revoked';
    return {
      data: { ...tokenJson(revoked, now), wasRevoked: revoked.wasRevoked },
      text: () => `Token ${revoked.id} of ${partner} ${before}.`,
    };
  },
});
