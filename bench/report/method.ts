/** How a run was made, in words. */
import { megabytes } from './format.ts';
import { RECORDABLE } from './record.ts';
import type { Environment } from './results.ts';

export function describeMethod(environment: Environment): string {
  const { date, commit, machine, cores, memory, system, node, workerd } = environment;
  const { connections, rounds, secondsPerRound, warmUpSeconds, latency } = environment;
  const before = warmUpSeconds ? `${warmUpSeconds} s of warm-up over all cases, and ` : '';
  return [
    `\`npm run bench\` on ${date}, commit ${commit}: ${machine}, ${cores} cores, ${megabytes(memory)}, ${system}, Node ${node}, workerd ${workerd}.`,
    'Requests are drawn over the whole directory: any store, page, town and language, five fields of all. All regimes draw alike; they differ in how often a request comes again and in what the isolate has in memory.',
    `*Hot* and *whole* are measured under load, over ${connections} keep-alive connections to plain workerd, with KV in another process and without delay. Answers are compared with those of the plain apps before anything is timed; lengths are checked with every answer. After ${before}a round of warm-up, ${rounds} rounds of ${secondsPerRound} s are taken in turn; ratios are taken within a round, and the median is given. A bar is missed when the median lies beyond it by more than its standard error. Bars on CPU grow with what it takes to copy and send a constant answer of 0.9 MB, from 450 µs on.`,
    '- *service*: the bundle that `wrangler deploy` would upload.\n- *limit*: a Worker that sends a constant body of the same length with the same headers, and gives its memory back at once.\n- *obvious*: Hono, all stores as objects in memory, `filter`, `sort`, `slice`, `c.json`; with a heap of 4 GB, which no Worker has.\n- *d1*: Hono on D1, indexes and a bounding box. Its database is SQLite in a Durable Object, as in D1.',
    `Everywhere else, and for the milliseconds at the top, each key of KV takes ${latency} ms ± 30 %, one in fifty five times as long; a bulk read takes as long as its slowest key; a request has six single reads at a time. (The stand-in for KV does not see requests but isolates: it lets an isolate have six, twelve with a crowd of equal requests, of which one may not have waited for the load of another, and 300 with fifty different ones.) Steps are (time at 240 ms − time at ${latency} ms) ÷ ${240 - latency} ms, with equal draws of delays in both; medians of 21, with slow keys of 11. Bars on cold requests are judged where no key is slow, and so is the comparison with D1: no layout escapes slow keys. A crowd’s milliseconds are those until the last answer is there.`,
    'Memory is heap and buffers together under `--max-old-space-size=48`, looked at every 20 ms.',
    `\`npm run bench -- --quick\` is short and writes nothing; \`--sizes\`, \`--only\` and \`--regimes\` choose. \`--record\` with \`--regimes\` of ${RECORDABLE.join(', ')} measures these alone and puts them in the place of what stands here of them; the other sections stay. \`soak\`, half an hour of mixed traffic at each size, is measured no other way. \`--report\` measures nothing and writes this page anew from \`results.json\`.`,
  ].join('\n\n');
}
