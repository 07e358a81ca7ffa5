/**
 * `npm run token -- …`: issues, lists, shows, revokes and rotates access tokens. Here are its commands and their
 * options; `commands/token.ts` has what runs them.
 */
import { type Command, Option } from 'commander';
import { UsageError } from './cli/command-error.ts';
import { declarePlace } from './cli/common-options.ts';
import { integerFrom, textOption, userPath } from './cli/option-values.ts';
import { defineCommand, defineProgram, runProgram } from './cli/run-command.ts';

/** As the schemas of the record have them, which `--help` does not load. */
const MAX_PARTNER_LENGTH = 200;
const MAX_NOTE_LENGTH = 500;
const MAX_UTM_LENGTH = 200;

/** Hours. */
const DEFAULT_OVERLAP = 24;
/** A year: a longer overlap is a second token. */
const MAX_OVERLAP = 8_760;

const ID_PATTERN = /^[0-9a-f]{4,12}$/;

const issue = defineCommand('issue', {
  summary: 'Issue a token and print it. It cannot be shown again.',
  declare: (command) => {
    const partner = 'partner who will hold the token';
    const scope = 'what the token may do, as domain:action:route, with * for any; can be repeated';
    command
      .addOption(textOption('--partner <name>', partner, MAX_PARTNER_LENGTH).makeOptionMandatory())
      .addOption(
        new Option('--scope <scope>', scope)
          .argParser((text, before: readonly string[]) => [...before, text])
          .default([], 'stores:read:GET'),
      )
      .option(
        '--expires <date>',
        'when the token expires: 2027-01-31 (0:00 UTC) or 2027-01-31T12:00:00Z',
      );
    for (const name of ['source', 'medium', 'campaign']) {
      const description = `utm_${name} in every page URL that the partner receives`;
      command.addOption(textOption(`--utm-${name} <value>`, description, MAX_UTM_LENGTH));
    }
    const note = 'note for operators, shown by token list';
    command.addOption(textOption('--note <text>', note, MAX_NOTE_LENGTH));
    declareOut(command);
    declarePlace(command);
  },
  examples: [
    ['--env staging --remote --partner "Vélo Map"', 'issues a staging token that reads stores'],
    [
      '--env production --remote --partner "Vélo Map" --out velo-map.token',
      'writes the token to a file, so that no screen and no log shows it',
    ],
    [
      '--env production --remote --partner "Ski Guide" --expires 2027-05-01 --utm-source skiguide',
      'issues a production token for one season, with attribution',
    ],
  ],
  load: async () => (await import('./commands/token.ts')).issue,
});

const list = defineCommand('list', {
  summary: 'List the tokens of an environment',
  declare: declarePlace,
  examples: [
    [
      '--env production --remote',
      'lists the tokens that partners use, with state, scopes and expiry',
    ],
    ['', 'lists the tokens of development on this machine'],
  ],
  load: async () => (await import('./commands/token.ts')).list,
});

const show = defineCommand('show', {
  summary: 'Show what is stored of a token: everything except its secret',
  declare: declareStored,
  examples: [
    [
      '0f3a5c7e9b1d --env production --remote',
      'shows state, partner, scopes, dates, UTM parameters and note',
    ],
  ],
  load: async () => (await import('./commands/token.ts')).show,
});

const revoke = defineCommand('revoke', {
  summary: 'Revoke a token, named by its public id',
  declare: declareStored,
  examples: [
    [
      '0f3a5c7e9b1d --env production --remote',
      'the token is refused everywhere within two minutes',
    ],
  ],
  load: async () => (await import('./commands/token.ts')).revoke,
});

const rotate = defineCommand('rotate', {
  summary:
    'Replace a token by a new one with the same partner, scopes, expiry, UTM parameters and note, and print that. The old token works until the overlap ends.',
  declare: (command) => {
    command.option(
      '--overlap <hours>',
      'hours in which both tokens work; 0 revokes the old one',
      integerFrom(0, MAX_OVERLAP),
      DEFAULT_OVERLAP,
    );
    declareOut(command);
    declareStored(command);
  },
  examples: [
    ['0f3a5c7e9b1d --env production --remote', 'gives the partner a day to change over'],
    ['0f3a5c7e9b1d --overlap 0 --env production --remote', 'replaces a token that has leaked'],
  ],
  load: async () => (await import('./commands/token.ts')).rotate,
});

/** Gives a command the public id of a token, or the first digits of one, and where the token is stored. */
function declareStored(command: Command): void {
  command.argument('<id>', 'public id of the token, or its first digits (at least 4)', readId);
  declarePlace(command);
}

function declareOut(command: Command): void {
  command.option(
    '--out <file>',
    'write the token to a new file that only its owner can read, instead of printing it',
    userPath,
  );
}

function readId(text: string): string {
  const id = text.toLowerCase();
  if (ID_PATTERN.test(id)) return id;
  // Not repeated: it may be the secret itself.
  throw new UsageError(
    'a token goes by its public id: 12 hexadecimal digits, or the first of them (at least 4; see token list)',
  );
}

await runProgram(
  defineProgram(
    'npm run token --',
    'Issue, list, show, revoke and rotate access tokens of the store directory.',
    [issue, list, show, revoke, rotate],
  ),
);
