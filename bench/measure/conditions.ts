/** What a condition costs by itself, beyond a list that has none: with `limit=0` and its parts in memory. */
import type { Random } from '../../fixtures/generator/random.ts';
import { LIST_PATH } from '../../src/http/paths.ts';
import { FACETS } from '../../src/model/term-fields.ts';
import type { StoreFacts } from '../data/stores.ts';
import { milliseconds } from '../report/format.ts';
import {
  COUNTRY,
  drawBox,
  drawInstant,
  drawWords,
  LETTERS,
  TOWN,
} from '../requests/draw-request.ts';
import type { BenchRequest } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { RunningContender } from '../server/contender.ts';
import { grown, type Run } from './run.ts';
import { spreadOfKnown, takeTurn, UNTIL_ALL_ARE_SENT } from './turn.ts';

/** Requests of a round, each of them another one: orders that are held are not asked for. */
const REQUESTS = 24;

const UNKNOWN_WORDS = 8;
const WORD_LETTERS = 8;

/** Milliseconds of CPU that each may take. */
const CONDITIONS: readonly {
  readonly label: string;
  readonly reach: number;
  readonly draw: (random: Random, facts: StoreFacts) => string;
}[] = [
  {
    ...{ label: 'q, two words of a store', reach: 2 },
    draw: (random, facts) => `q=${drawWords(random, facts)}`,
  },
  { label: 'q, one letter', reach: 6, draw: (random) => `q=${random.pick(LETTERS)}` },
  {
    ...{ label: 'q, eight unknown words', reach: 30 },
    draw(random) {
      const word = () => Array.from({ length: WORD_LETTERS }, () => random.pick(LETTERS)).join('');
      return `q=${Array.from({ length: UNKNOWN_WORDS }, word).join('+')}`;
    },
  },
  { label: 'bbox of a town', reach: 1, draw: (random) => `bbox=${drawBox(random, TOWN)}` },
  { label: 'bbox of a country', reach: 5, draw: (random) => `bbox=${drawBox(random, COUNTRY)}` },
  { label: 'openAt', reach: 20, draw: (random) => `openAt=${drawInstant(random)}` },
  { label: 'facets, all three', reach: 4, draw: () => `facets=${FACETS.join(',')}` },
];

export async function measureConditions(run: Run, service: RunningContender): Promise<void> {
  const { scene, rounds, findings, slowness, where } = run;
  const [least] = new RequestStream('list', 'hot', scene.data.facts).take(1) as [BenchRequest];
  const random = RequestStream.randomOf('list', 'conditions');
  const ask = async (drawQuery: () => string) => {
    const paths = Array.from({ length: REQUESTS }, () => `${LIST_PATH}?limit=0${drawQuery()}`);
    const requests = await scene.writer.prepareAll(
      paths.map((path) => ({ ...least, path, leastBytes: 0 })),
    );
    return (await takeTurn(service, requests, 'once', UNTIL_ALL_ARE_SENT)).cpu;
  };
  for (const { label, reach, draw } of CONDITIONS) {
    const added: (number | null)[] = [];
    for (let round = -1; round < rounds; round++) {
      const base = await ask(() => '');
      const own = await ask(() => `&${draw(random, scene.data.facts)}`);
      if (round >= 0) added.push(base === null || own === null ? null : own - base);
    }
    const what = `conditions with limit=0, ${where}: CPU beyond that of none`;
    const words = `2 / 6 / 30 / 1 / 5 / 20 / 4 ms${grown(run)}`;
    findings.atMost(what, milliseconds, label, spreadOfKnown(added), reach * slowness, words);
  }
}
