/** `snapshot publish`: a source, or a folder built before, goes live. */
import { InvalidArgumentError, Option } from 'commander';
import { releaseName } from '../../src/snapshot/keys.ts';
import {
  declareReleaseChoice,
  type ReleaseChoice,
  withChosenRelease,
} from '../build/release-choice.ts';
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { formatBytes, formatCount, plural } from '../cli/progress.ts';
import { defineCommand } from '../cli/run-command.ts';
import { declareSignature, type SignatureChoice, signatureOf } from '../cli/signature-options.ts';
import {
  type CostEstimate,
  type GuardedPublication,
  publishGuarded,
} from '../guards/guarded-publication.ts';
import type { Allowed } from '../guards/judge.ts';
import { describeGuards, GUARD_NAMES, MAX_LOST } from '../guards/table.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { isDemoLive } from '../start/prepare-storage.ts';
import { withTarget } from '../storage/open-target.ts';
import { collectedJson } from './prune.ts';
import { concludePublication } from './publish-outcome.ts';

interface PublishCommandOptions extends ReleaseChoice, PlaceOptions, SignatureChoice {
  readonly allow: Allowed;
  readonly force?: boolean;
  readonly afresh?: boolean;
  readonly beginLog?: boolean;
  readonly dryRun?: boolean;
}

const GUARDS_HELP = `
Guards, with the largest share of the stores that passes, compared with the live release. At most
${MAX_LOST} % may lose what a field had. Compared with the oldest release of the last 24 hours, twice as many
may lose or change something. What is so of one store or two always passes.
${describeGuards()}`;

export const publishCommand = defineCommand<PublishCommandOptions>('publish', {
  summary: 'Put a store export, or a folder made by build, live',
  declare: (command) => {
    declareReleaseChoice(command);
    declarePlace(command);
    declareSignature(command);
    command
      .option('--force', 'pass all guards: publish even if the export looks broken')
      .option('--afresh', 'upload everything again, which replaces lost or damaged objects')
      .option('--begin-log', 'begin a new log, after a change of bucket or namespace')
      .option('--dry-run', 'write nothing, only say what would be uploaded')
      .addOption(
        new Option(
          '--allow <guard[=percent]>',
          `pass a guard, or set its limit in percent of the stores; can be repeated`,
        )
          .argParser(readAllowed)
          .default(new Map(), 'none'),
      )
      .addHelpText('after', GUARDS_HELP);
  },
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
  run: async (options, context) => {
    const { result, validation, leftOut } = await concludePublication(options, context, (begin) =>
      withChosenRelease(options, context, (release) =>
        withTarget(options, context, (target) =>
          begin(target, release.manifest.release, () => {
            const order = {
              ...options,
              signature: signatureOf(options),
              // Stores of one's own may replace the demo of npm start.
              replacesAll: (live: LogEntry | null) => isDemoLive(target, live, options),
              onCost: (cost: CostEstimate) => describeCost(cost).forEach(context.remark),
            };
            return publishGuarded(release, target, order, context);
          }),
        ),
      ),
    );
    const { env, dryRun = false } = options;
    return {
      data: {
        environment: env,
        dryRun,
        ...result,
        collected: result.collected && collectedJson(result.collected),
        validation,
      },
      text: () => [describeOutcome(result, options), ...leftOut].join('\n'),
    };
  },
});

function readAllowed(text: string, before: Allowed): Allowed {
  const [name = '', ...rest] = text.split('=');
  if (!GUARD_NAMES.includes(name)) {
    throw new InvalidArgumentError(
      `Expected one of ${GUARD_NAMES.join(', ')}, with =PERCENT or without.`,
    );
  }
  if (rest.length === 0) return new Map(before).set(name, Number.POSITIVE_INFINITY);
  const percent = rest.join('=');
  // More stores may come than are live.
  const range = name === 'added' ? '' : ' from 0 to 100';
  if (!/^\d+(\.\d+)?$/.test(percent) || (range !== '' && Number(percent) > 100)) {
    throw new InvalidArgumentError(`Expected a percentage${range} after the =.`);
  }
  return new Map(before).set(name, Number(percent));
}

function describeCost(cost: CostEstimate): string[] {
  const { writes, requests, seconds, uploads, writesInDay, freeWrites, storedBytes } = cost;
  const time = seconds < 60 ? 'less than a minute' : `about ${Math.ceil(seconds / 60)} minutes`;
  const lines = [
    `Costs ${plural(writes, 'write')}, ${plural(requests, 'request')}, ${formatBytes(uploads.bytes)}, ${time} at the pace that is allowed; with what is kept for eight days, ${formatBytes(storedBytes)} are stored`,
  ];
  if (freeWrites !== null && writesInDay > freeWrites) {
    lines.push(
      `warning: ${plural(writesInDay, 'write')} within 24 hours; a day of the free plan has ${formatCount(freeWrites)}`,
    );
  }
  return lines;
}

function describeOutcome(outcome: GuardedPublication, options: PublishCommandOptions): string {
  const { release, number, previousName, alreadyLive, storeCount, uploaded } = outcome;
  const place = placeName(options);
  const name = number === null ? release : releaseName(number, release);
  const content = `release ${name} (${plural(storeCount, 'store')})`;
  if (alreadyLive && uploaded.objects === 0) {
    return `${place}: ${content} is live already, nothing was written`;
  }
  const after = previousName === null ? 'the first one' : `after ${previousName}`;
  const [state, put] = options.dryRun ? ['would go live', 'Would upload'] : ['is live', 'Uploaded'];
  return [
    `${place}: ${content} ${state}, ${after}`,
    `${put} ${plural(uploaded.objects, 'object')} (${formatBytes(uploaded.bytes)})`,
  ].join('\n');
}
