/** The token commands: options in, the work of one file each, a report out. */
import type { Environment } from '../../src/auth/environment.ts';
import { READ_STORES } from '../../src/auth/scope.ts';
import { environmentOption } from '../cli/environment-option.ts';
import { openPlatform } from '../cli/platform.ts';
import { defineCommand } from '../cli/run-command.ts';
import { parseTokenId } from './find-token.ts';
import { issueToken } from './issue-token.ts';
import { KvTokenStore } from './kv-token-store.ts';
import { revokeToken } from './revoke-token.ts';
import { readTokens } from './stored-token.ts';
import {
  type EnvironmentOptions,
  type IssueOptions,
  issueOptions,
  utmOf,
} from './token-options.ts';
import { describeIssued, describeTokens, tokenJson } from './token-report.ts';
import type { TokenStore } from './token-store.ts';

export const issueCommand = defineCommand<IssueOptions>({
  name: 'issue',
  summary: 'Issue a token and print it, once',
  declare: (command) => {
    command.addOption(environmentOption('whose tokens'));
    for (const option of issueOptions()) command.addOption(option);
  },
  examples: [
    ['--env staging --partner "Vélo Map"', 'a staging token that reads stores'],
    [
      '--env production --partner "Ski Guide" --expires 2027-05-01 --utm-source skiguide',
      'a production token for one season, with attribution',
    ],
  ],
  run: async (options) => {
    const { env, partner, scope, expires, note } = options;
    const order = {
      partner,
      scopes: scope.length > 0 ? [...scope] : [READ_STORES],
      expiresAt: expires ?? null,
      utm: utmOf(options),
      ...(note === undefined ? {} : { note }),
    };
    const now = Date.now();
    const issued = await withStore(env, (store) => issueToken(store, env, order, now));
    return {
      data: { environment: env, token: issued.token, ...tokenJson(issued, now) },
      text: () => describeIssued(issued, env),
    };
  },
});

export const listCommand = defineCommand<EnvironmentOptions>({
  name: 'list',
  summary: 'List the tokens of an environment',
  declare: (command) => {
    command.addOption(environmentOption('whose tokens'));
  },
  examples: [['--env staging', 'staging tokens with state, scopes and end']],
  run: async ({ env }) => {
    const tokens = await withStore(env, (store) => readTokens(store));
    const now = Date.now();
    return {
      data: tokens.map((token) => tokenJson(token, now)),
      text: () => describeTokens(tokens, now),
    };
  },
});

export const revokeCommand = defineCommand<EnvironmentOptions>({
  name: 'revoke',
  summary: 'Revoke a token by its public id',
  declare: (command) => {
    command.addOption(environmentOption('whose tokens'));
    command.argument('<id>', 'public id, or its first digits (at least 4)');
  },
  examples: [['--env production 0f3a5c7e9b1d', 'refused everywhere within two minutes']],
  run: async ({ env }, _, argument = '') => {
    const id = parseTokenId(argument);
    const now = Date.now();
    const revoked = await withStore(env, (store) => revokeToken(store, id, now));
    const { partner, revokedAt } = revoked.record;
    const before = revoked.wasRevoked ? `had been revoked before, ${revokedAt}` : 'is revoked';
    return {
      data: { ...tokenJson(revoked, now), wasRevoked: revoked.wasRevoked },
      text: () => `Token ${revoked.id} of ${partner} ${before}.`,
    };
  },
});

/** Runs `work` on the tokens of an environment in local storage. */
async function withStore<Result>(
  environment: Environment,
  work: (store: TokenStore) => Promise<Result>,
): Promise<Result> {
  const platform = await openPlatform(environment);
  try {
    return await work(new KvTokenStore(platform.env.TOKENS));
  } finally {
    await platform.dispose();
  }
}
