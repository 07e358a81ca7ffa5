/**
 * `npm run token -- …`: issues, lists, shows, revokes and rotates access tokens. Here are its commands and their
 * options; `commands/token.ts` has what runs them.
 */
import { Argument, Option } from 'commander';
import { MAX_NOTE_LENGTH, MAX_PARTNER_LENGTH, MAX_UTM_LENGTH } from '../src/auth/token.ts';
import { UsageError } from './cli/command-error.ts';
import { integerFrom, PLACE_OPTIONS, textOption, userPath } from './cli/common-options.ts';
import { defineCommand, defineProgram, runProgram } from './cli/run-command.ts';

/** Hours. */
const DEFAULT_OVERLAP = 24;
/** A year: a longer overlap is a second token. */
const MAX_OVERLAP = 8_760;

const ID_PATTERN = /^[0-9a-f]{4,12}$/;

const OUT_OPTION = new Option(
  '--out <file>',
  'write the token to a new file that only its owner can read, instead of printing it',
).argParser(userPath);

const ID_ARGUMENT = new Argument(
  '<id>',
  'public id of the token, or its first digits (at least 4)',
).argParser(readId);

const load = () => import('./commands/token.ts');

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
    [
      defineCommand('issue', {
        summary: 'Issue a token and print it. It cannot be shown again.',
        options: [
          textOption(
            '--partner <name>',
            'partner who will hold the token',
            MAX_PARTNER_LENGTH,
          ).makeOptionMandatory(),
          new Option(
            '--scope <scope>',
            'what the token may do, as domain:action:route, with * for any; can be repeated',
          )
            .argParser((text, before: readonly string[]) => [...before, text])
            .default([], 'stores:read:GET'),
          new Option(
            '--expires <date>',
            'when the token expires: 2027-01-31 (0:00 UTC) or 2027-01-31T12:00:00Z',
          ),
          ...['source', 'medium', 'campaign'].map((name) =>
            textOption(
              `--utm-${name} <value>`,
              `utm_${name} in every page URL that the partner receives`,
              MAX_UTM_LENGTH,
            ),
          ),
          textOption('--note <text>', 'note for operators, shown by token list', MAX_NOTE_LENGTH),
          OUT_OPTION,
          ...PLACE_OPTIONS,
        ],
        examples: [
          [
            '--env staging --remote --partner "Vélo Map"',
            'issues a staging token that reads stores',
          ],
          [
            '--env production --remote --partner "Vélo Map" --out velo-map.token',
            'writes the token to a file, so that no screen and no log shows it',
          ],
          [
            '--env production --remote --partner "Ski Guide" --expires 2027-05-01 --utm-source skiguide',
            'issues a production token for one season, with attribution',
          ],
        ],
        load,
      }),
      defineCommand('list', {
        summary: 'List the tokens of an environment',
        options: PLACE_OPTIONS,
        examples: [
          [
            '--env production --remote',
            'lists the tokens that partners use, with state, scopes and expiry',
          ],
          ['', 'lists the tokens of development on this machine'],
        ],
        load,
      }),
      defineCommand('show', {
        summary: 'Show what is stored of a token: everything except its secret',
        args: [ID_ARGUMENT],
        options: PLACE_OPTIONS,
        examples: [
          [
            '0f3a5c7e9b1d --env production --remote',
            'shows state, partner, scopes, dates, UTM parameters and note',
          ],
        ],
        load,
      }),
      defineCommand('revoke', {
        summary: 'Revoke a token, named by its public id',
        args: [ID_ARGUMENT],
        options: PLACE_OPTIONS,
        examples: [
          [
            '0f3a5c7e9b1d --env production --remote',
            'the token is refused everywhere within two minutes',
          ],
        ],
        load,
      }),
      defineCommand('rotate', {
        summary:
          'Replace a token by a new one with the same partner, scopes, expiry, UTM parameters and note, and print that. The old token works until the overlap ends.',
        args: [ID_ARGUMENT],
        options: [
          new Option('--overlap <hours>', 'hours in which both tokens work; 0 revokes the old one')
            .argParser(integerFrom(0, MAX_OVERLAP))
            .default(DEFAULT_OVERLAP),
          OUT_OPTION,
          ...PLACE_OPTIONS,
        ],
        examples: [
          ['0f3a5c7e9b1d --env production --remote', 'gives the partner a day to change over'],
          [
            '0f3a5c7e9b1d --overlap 0 --env production --remote',
            'replaces a token that has leaked',
          ],
        ],
        load,
      }),
    ],
  ),
);
