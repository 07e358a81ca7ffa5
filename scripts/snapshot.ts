/**
 * `npm run snapshot`: checks store exports, compiles them, puts them live, and undoes that. Here are its commands and
 * their options; the folder `commands` has what runs them.
 */

import { Option } from 'commander';
import { FORMAT_VERSION } from '../src/snapshot/keys.ts';
import {
  DEFAULTS_OPTION,
  EXPECT_STORES_OPTION,
  integerFrom,
  PLACE_OPTIONS,
  RELEASE_OPTIONS,
  releaseArgument,
  SIGNATURE_OPTIONS,
  SKIP_INVALID_OPTION,
  sourceOption,
  userPath,
} from './cli/common-options.ts';
import { defineCommand, defineProgram, runProgram } from './cli/run-command.ts';
import { GUARDS_HELP, readAllowed } from './guards/table.ts';

/** Entries that `list` shows by default. */
const DEFAULT_ENTRIES = 50;

await runProgram(
  defineProgram('npm run snapshot --', 'Check store exports, compile them and put them live.', [
    defineCommand('validate', {
      summary: 'Report the faults of a store export',
      options: [sourceOption().makeOptionMandatory(), DEFAULTS_OPTION, EXPECT_STORES_OPTION],
      examples: [
        ['--source fixtures/stores.ndjson', 'checks a file'],
        [
          '--source export.ndjson --defaults docs/examples/defaults.json',
          'checks stores that leave out what is the same for all',
        ],
        ['--source - --json < export.json.gz', 'checks standard input, prints every fault as JSON'],
      ],
      load: () => import('./commands/validate.ts'),
    }),
    defineCommand('build', {
      summary: 'Compile a store export into a folder',
      options: [
        sourceOption().makeOptionMandatory(),
        DEFAULTS_OPTION,
        new Option(
          '--out <folder>',
          'folder to write to: new, empty, or with an earlier snapshot, which is replaced',
        )
          .argParser(userPath)
          .makeOptionMandatory(),
        SKIP_INVALID_OPTION,
        EXPECT_STORES_OPTION,
      ],
      examples: [
        [
          '--source export.ndjson --out dist/snapshot',
          'compiles all stores, or none if one is faulty',
        ],
        ['--source export.ndjson --out dist/snapshot --skip-invalid', 'compiles the good stores'],
      ],
      load: () => import('./commands/build.ts'),
    }),
    defineCommand('diff', {
      summary: 'Compare a store export, or a folder made by build, with the live release',
      options: [...RELEASE_OPTIONS, ...PLACE_OPTIONS],
      examples: [
        ['--source export.ndjson', 'compares with local development'],
        [
          '--snapshot dist/snapshot --env production --remote',
          'compares with what production serves',
        ],
        [
          '--source export.ndjson --json',
          'prints every store that was added, removed or changed, with its values',
        ],
      ],
      load: () => import('./commands/diff.ts'),
    }),
    defineCommand('publish', {
      summary: 'Put a store export, or a folder made by build, live',
      options: [
        ...RELEASE_OPTIONS,
        ...PLACE_OPTIONS,
        ...SIGNATURE_OPTIONS,
        new Option('--force', 'pass all guards: publish even if the export looks broken'),
        new Option('--afresh', 'upload everything again, which replaces lost or damaged objects'),
        new Option('--begin-log', 'begin a new log, after a change of bucket or namespace'),
        new Option('--dry-run', 'write nothing, only say what would be uploaded'),
        new Option(
          '--allow <guard[=percent]>',
          'pass a guard, or raise its limit to a percentage of the stores; can be repeated',
        )
          .argParser(readAllowed)
          .default(new Map(), 'none'),
      ],
      notes: GUARDS_HELP,
      examples: [
        ['--source fixtures/stores.ndjson', 'compiles and publishes to local development'],
        ['--source export.ndjson --env staging --remote', "publishes to Cloudflare's platform"],
        ['--snapshot dist/snapshot --env production --remote --dry-run', 'shows what would happen'],
        [
          '--source export.ndjson --allow removed=35',
          'publishes an export that drops a third of the stores',
        ],
        ['--source export.ndjson --allow hours', 'publishes the opening hours of a new season'],
      ],
      load: () => import('./commands/publish.ts'),
    }),
    defineCommand('list', {
      summary:
        'Show the log, the latest entry first: which release went live, when, by whom and why. You can roll back to each release whose state is "kept".',
      options: [
        new Option('--entries <n>', 'how many entries to show')
          .argParser(integerFrom(1))
          .default(DEFAULT_ENTRIES),
        ...PLACE_OPTIONS,
      ],
      examples: [
        [
          '--env production --remote',
          'shows what production serves, and which releases you can roll back to',
        ],
      ],
      load: () => import('./commands/inspect.ts'),
    }),
    defineCommand('rollback', {
      summary:
        'Put an earlier release live again and hold publishing: publish is refused until you run resume. If you name the live release, this only holds publishing.',
      args: [releaseArgument('what was live before the live release was published')],
      options: [...SIGNATURE_OPTIONS, ...PLACE_OPTIONS],
      examples: [
        ['--env production --remote', 'undoes the last publication'],
        ['3 --env production --remote', 'goes to the release that snapshot list shows as 3-…'],
      ],
      load: () => import('./commands/rollback.ts'),
    }),
    defineCommand('resume', {
      summary: 'Allow publishing again after a rollback. The live release stays live.',
      options: [...SIGNATURE_OPTIONS, ...PLACE_OPTIONS],
      examples: [
        ['--env production --remote --note "export repaired"', 'lets the hourly job go on'],
      ],
      load: () => import('./commands/rollback.ts'),
    }),
    defineCommand('prune', {
      summary:
        'Delete what stopped being kept over a day ago. Releases are kept that were live within eight days, and at least the last ten. The first publication of a day prunes too.',
      options: [
        new Option(
          '--version <n>',
          'delete everything of an older format version instead; possible a week after its last publication',
        ).argParser(integerFrom(1, FORMAT_VERSION - 1)),
        new Option('--dry-run', 'only say what would be deleted'),
        ...PLACE_OPTIONS,
      ],
      examples: [
        ['--env production --remote', 'deletes what is due'],
        ['--dry-run --env production --remote', 'says what would be deleted'],
        [
          `--version ${FORMAT_VERSION - 1} --env production --remote`,
          'removes the old version after an upgrade',
        ],
      ],
      load: () => import('./commands/prune.ts'),
    }),
    defineCommand('purge', {
      summary:
        'Delete every release except the live one, now. If a store or an address must not stay stored, first publish without it, then purge.',
      options: [
        new Option('--yes', 'delete them; without it, say what would go and fail'),
        ...SIGNATURE_OPTIONS,
        ...PLACE_OPTIONS,
      ],
      examples: [
        ['--env production --remote', 'says what a purge would delete, and fails'],
        [
          '--yes --note "store 5f… asked for it" --env production --remote',
          'deletes every release except the live one',
        ],
      ],
      load: () => import('./commands/purge.ts'),
    }),
    defineCommand('inspect', {
      summary: 'Show what is in a release: counts and sizes, or one store',
      args: [releaseArgument('the live release')],
      options: [
        new Option('--store <id>', 'print one store, named by id or slug, in its default language'),
        ...PLACE_OPTIONS,
      ],
      examples: [
        ['--env staging', 'shows the live release'],
        [
          '9f2c --store alpine-ski-annecy --env production --remote',
          'prints a store as an earlier release has it',
        ],
      ],
      load: () => import('./commands/inspect.ts'),
    }),
    defineCommand('schema', {
      summary:
        'Print the format of store exports as JSON Schema; docs/source-format.md describes it',
      examples: [['> store.schema.json', 'writes a file for programs that check stores']],
      load: () => import('./commands/validate.ts'),
    }),
  ]),
);
