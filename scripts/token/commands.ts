/** The token commands: options in, the work of one file each, a report out. */
import { READ_STORES } from '../../src/auth/scope.ts';
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { defineCommand } from '../cli/run-command.ts';
import { findToken, parseTokenId } from './find-token.ts';
import { issueToken } from './issue-token.ts';
import { withTokenStore } from './open-store.ts';
import { revokeToken } from './revoke-token.ts';
import { listEntries } from './stored-token.ts';
import { factsOf, findSuccessors, listTokens } from './token-facts.ts';
import { keepInFile, outOption } from './token-file.ts';
import { type IssueOptions, issueOptions, utmOf } from './token-options.ts';
import {
  describeIssued,
  describeToken,
  describeTokens,
  issuedJson,
  lostSecret,
  tokenJson,
} from './token-report.ts';

export const issueCommand = defineCommand<IssueOptions>('issue', {
  summary: 'Issue a token and print it, once',
  declare: (command) => {
    declarePlace(command, 'whose tokens');
    for (const option of issueOptions()) command.addOption(option);
    command.addOption(outOption());
  },
  examples: [
    ['--env staging --remote --partner "Vélo Map"', 'a staging token that reads stores'],
    [
      '--env production --remote --partner "Vélo Map" --out velo-map.token',
      'a token that no log and no screen shows',
    ],
    [
      '--env production --remote --partner "Ski Guide" --expires 2027-05-01 --utm-source skiguide',
      'a production token for one season, with attribution',
    ],
  ],
  run: async (options, context) => {
    const { env, partner, scope, expires, note, out } = options;
    const order = {
      partner,
      scopes: scope.length > 0 ? [...scope] : [READ_STORES],
      expiresAt: expires ?? null,
      utm: utmOf(options),
      ...(note === undefined ? {} : { note }),
    };
    const now = Date.now();
    const issue = () =>
      withTokenStore(options, context, (store) => issueToken(store, env, order, now));
    const issued = await keepInFile(out, issue, (each) => each);
    return {
      data: { environment: env, ...issuedJson(issued, now, out) },
      text: () => describeIssued(issued, placeName(options), out),
      ...(out === undefined ? { unread: lostSecret(issued), secret: issued.token } : {}),
    };
  },
});

export const listCommand = defineCommand<PlaceOptions>('list', {
  summary: 'List the tokens of an environment',
  declare: (command) => {
    declarePlace(command, 'whose tokens');
  },
  examples: [
    ['--env production --remote', 'those that partners use, with state, scopes and end'],
    ['', 'those of development, on this machine'],
  ],
  run: async (options, context) => {
    const [tokens, now] = await withTokenStore(options, context, async (store) => {
      return [await listTokens(store), store.now()] as const;
    });
    return {
      data: { environment: options.env, tokens: tokens.map((token) => tokenJson(token, now)) },
      text: () => describeTokens(tokens, placeName(options), now),
    };
  },
});

export const showCommand = defineCommand<PlaceOptions>('show', {
  summary: 'Show all that is stored of a token: everything but its secret',
  declare: (command) => {
    declarePlace(command, 'whose tokens');
    command.argument('<id>', 'public id, or its first digits (at least 4)');
  },
  examples: [
    ['0f3a5c7e9b1d --env production --remote', 'state, partner, scopes, dates, UTM, note'],
  ],
  run: async (options, context, argument = '') => {
    const id = parseTokenId(argument);
    const [facts, now] = await withTokenStore(options, context, async (store) => {
      const token = await findToken(store, id);
      const successors = findSuccessors(await listEntries(store)).get(token.id);
      return [factsOf(token, successors), store.now()] as const;
    });
    return {
      data: { environment: options.env, ...tokenJson(facts, now) },
      text: () => describeToken(facts, now),
    };
  },
});

export const revokeCommand = defineCommand<PlaceOptions>('revoke', {
  summary: 'Revoke a token by its public id',
  declare: (command) => {
    declarePlace(command, 'whose tokens');
    command.argument('<id>', 'public id, or its first digits (at least 4)');
  },
  examples: [['0f3a5c7e9b1d --env production --remote', 'refused everywhere within two minutes']],
  run: async (options, context, argument = '') => {
    const id = parseTokenId(argument);
    const now = Date.now();
    const revoked = await withTokenStore(options, context, (store) => revokeToken(store, id, now));
    const { facts, partner, revokedAt, wasRevoked } = revoked;
    const before = wasRevoked ? `had been revoked before, ${revokedAt}` : 'is revoked';
    return {
      data: { environment: options.env, ...tokenJson(facts, now), wasRevoked },
      text: () => `${placeName(options)}: token ${facts.id} of ${partner} ${before}.`,
    };
  },
});
