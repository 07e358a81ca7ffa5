/** `RESULTS.md`, written from the results of a run. */
import { holdBars } from './bars.ts';
import { count, kilobytes, megabytes, seconds, timesWithin } from './format.ts';
import type { CaseResult, Environment, Results, SizeResult } from './results.ts';

/** @param tried what was tried and did not help, in Markdown */
export function writeMarkdown(results: Results, tried: string): string {
  return [
    '# How fast it is',
    'Written by `npm run bench`; do not edit. Ratios are taken side by side in one run and may be compared; absolute figures are this machine’s.',
    bars(results),
    '![Throughput against the limit](results.svg)',
    ...results.sizes.flatMap(sizeSections),
    '## What was tried and did not help',
    tried.trim(),
    '## How it was measured',
    method(results.environment),
    '',
  ].join('\n\n');
}

function bars(results: Results): string {
  const rows = holdBars(results).map(({ what, bar, measured, holds }) => [
    what,
    bar,
    measured ?? 'not in this run',
    holds === null ? '' : holds ? 'holds' : '**missed**',
  ]);
  return table(['Measured', 'Bar', 'This run', ''], rows);
}

function sizeSections(size: SizeResult): string[] {
  return [
    `## ${count(size.storeCount)} stores`,
    `A release of ${megabytes(size.releaseBytes)} in eight languages.`,
    'Requests a second; in brackets, how many times as many the service answers (lowest to highest round).',
    throughput(size.cases),
    'What a request costs the service:',
    costs(size),
    memory(size),
    firstRequests(size),
    ...(size.publishing ? [publishing(size)] : []),
  ];
}

function throughput(cases: readonly CaseResult[]): string {
  const rows = cases.map(({ title, contenders, ratios }) => {
    const ours = contenders.ours;
    const others = (['limit', 'obvious', 'd1'] as const).map((name) => {
      const other = contenders[name];
      const ratio = ratios[name];
      return other && ratio ? `${count(other.perSecond.median)} (${timesWithin(ratio)})` : '';
    });
    return [title, ours ? count(ours.perSecond.median) : '', ...others];
  });
  return table(['Requests', 'service', 'limit', 'obvious', 'd1'], rows);
}

function costs({ cases, costs: measured }: SizeResult): string {
  const rows = measured.map(({ name, title, heapBytes, coldReads, warmReads, requests }) => {
    const ours = cases.find((group) => group.name === name)?.contenders.ours;
    return [
      title,
      ours?.cpu ? `${count(ours.cpu.median)} µs` : '',
      ours ? kilobytes(ours.bytes) : '',
      kilobytes(heapBytes),
      (coldReads / requests).toFixed(1),
      (warmReads / requests).toFixed(1),
    ];
  });
  const columns = ['CPU', 'bytes copied', 'allocated on the heap'];
  return table(['Requests', ...columns, 'KV reads, cold', 'KV reads, warm'], rows);
}

function memory({ load: { seconds: lasted, requests, kvReads, peak, held } }: SizeResult): string {
  return [
    `A load of every page in every language, with searches and sorted pages in between`,
    `(${count(requests)} requests in ${seconds(lasted)}, ${count(kvReads)} KV reads, no failed answer),`,
    `takes the isolate to ${megabytes(peak.heap + peak.buffers)} at the worst moment`,
    `(${megabytes(peak.heap)} heap, ${megabytes(peak.buffers)} buffers, garbage included);`,
    `${megabytes(held.heap + held.buffers)} of it are held when garbage is gone.`,
  ].join(' ');
}

function firstRequests({ firstRequests: measured }: SizeResult): string {
  const texts = measured.map(({ title, cpu, milliseconds }) => {
    const cost = cpu ? `${cpu.median.toFixed(0)} ms of CPU, ` : '';
    return `${title}: ${cost}${milliseconds.median.toFixed(0)} ms`;
  });
  return `First request of a fresh isolate, with KV in another process: ${texts.join('; ')}.`;
}

function publishing({ publishing: measured }: SizeResult): string {
  if (!measured) return '';
  const { buildSeconds, publishSeconds, publishUnchangedSeconds, changedShare } = measured;
  return [
    `\`snapshot build\` takes ${seconds(buildSeconds)} (validation included), publishing to local`,
    `storage ${seconds(publishSeconds)}, publishing again unchanged ${seconds(publishUnchangedSeconds)}.`,
    `After 1 % of the stores changed, ${(100 * changedShare).toFixed(1)} % of the bytes go up.`,
  ].join(' ');
}

function method(environment: Environment): string {
  const { date, commit, machine, cores, memory: bytes, system, node, workerd } = environment;
  const { connections, rounds, secondsPerRound } = environment;
  return [
    `\`npm run bench\` on ${date}, commit ${commit}: ${machine}, ${cores} cores, ${megabytes(bytes)}, ${system}, Node ${node}, workerd ${workerd}.`,
    `All contenders run the same way: plain workerd without a development proxy, KV (or D1) served inside the same process, the same requests over ${connections} keep-alive connections. Answers are compared with the service’s before anything is timed, and lengths with every answer. After a round of warm-up each, ${rounds} rounds of ${secondsPerRound} s are taken in turn; ratios are taken within a round, and the median is given.`,
    '- *service*: the bundle that `wrangler deploy` would upload.\n- *limit*: a Worker that sends a constant body of the same length with the same headers.\n- *obvious*: Hono, all stores as objects in memory, `filter`, `sort`, `slice`, `c.json`; with a heap of 4 GB, which no Worker has.\n- *d1*: Hono on D1, indexes and a bounding box. Its database is SQLite in a Durable Object of the same process, as in D1.',
    'Throughput at 100,000 stores against 2,500 is the mean over all cases, each taken in shares of the limit: a radius holds more stores there, so that answers are longer, and the limit sends as many bytes.',
    '`npm run bench -- --quick` takes a minute and writes nothing; `--sizes` and `--only` choose.',
  ].join('\n\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
