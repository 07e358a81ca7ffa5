/**
 * CPU that a request takes beyond another one, at 100,000 stores: of a condition by itself, with
 * `limit=0` and its parts in memory, and of putting stores in an order that is not held yet.
 */
import type { Random } from '../../fixtures/generator/random.ts';
import { LIST_PATH } from '../../src/http/paths.ts';
import { FACETS } from '../../src/model/enumerations.ts';
import { CURRENCIES, CURRENCY_PATH } from '../../src/model/settings.ts';
import { cpuOfEach } from '../client/drive.ts';
import type { StoreFacts } from '../data/stores.ts';
import {
  COUNTRY,
  drawBox,
  drawDelivery,
  drawInstant,
  drawWords,
  LETTERS,
  TOWN,
  writeParameters,
} from '../requests/draw-request.ts';
import type { BenchRequest } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { RunningContender } from '../server/contender.ts';
import { holdCpu, overRounds, type Run } from './run.ts';

/** Requests of a round, each of them another one: orders that are held are not asked for. */
const REQUESTS = 24;

const UNKNOWN_WORDS = 8;
const WORD_LETTERS = 8;

/** Most stores take euros; the others make each request another one. */
const OTHER_CURRENCIES = 7;

/** Orders of two keys that are made in a round: an isolate holds about twenty at 100,000 stores. */
const ORDERS = 8;
/** Pages of each order that are asked for once it is held. */
const PAGES_OF_ORDER = 4;

/** Conditions: the milliseconds of CPU that each may take, and the stores of a page if there are any. */
const CONDITIONS: readonly (readonly [
  label: string,
  reach: number,
  draw: (random: Random, facts: StoreFacts) => string,
  limit?: number,
])[] = [
  ['q, two words of a store', 2, (random, facts) => `q=${drawWords(random, facts)}`],
  ['q, one letter', 6, (random) => `q=${random.pick(LETTERS)}`],
  ['q, eight unknown words', 30, (random) => `q=${drawUnknown(random)}`],
  ['bbox of a town', 1, (random) => `bbox=${drawBox(random, TOWN)}`],
  ['bbox of a country', 5, (random) => `bbox=${drawBox(random, COUNTRY)}`],
  ['openAt', 20, (random) => `openAt=${drawInstant(random)}`],
  [
    'openAt, four instants',
    60,
    (random) => `openAt=${Array.from({ length: 4 }, () => drawInstant(random))}`,
  ],
  ['at on a page of 100', 3, (random) => `at=${drawInstant(random)}`, 100],
  ['facets, all three', 4, () => `facets=${FACETS.join(',')}`],
  ['a delivery point', 15, (random, facts) => writeParameters(drawDelivery(random, facts))],
  [
    'a setting',
    1,
    (random) => `${CURRENCY_PATH}=EUR,${random.sample([...CURRENCIES], OTHER_CURRENCIES)}`,
  ],
];

/** Draws words that no store has. */
function drawUnknown(random: Random): string {
  const word = () => Array.from({ length: WORD_LETTERS }, () => random.pick(LETTERS)).join('');
  return Array.from({ length: UNKNOWN_WORDS }, word).join('+');
}

export async function measureAddedCpu(run: Run, service: RunningContender): Promise<void> {
  const { scene, rounds, where } = run;
  const { facts } = scene.data;
  /** Returns how much more CPU some requests take than others. */
  const beyond = async (own: readonly BenchRequest[], base: () => readonly BenchRequest[]) => {
    const more = await cpuOfEach(service, await scene.writer.prepareAll(own));
    const less = await cpuOfEach(service, await scene.writer.prepareAll(base()));
    return more - less;
  };

  const orders = scene.stream('sorted', 'orders');
  const added = await overRounds(rounds, () => {
    const requests = orders.take(ORDERS);
    return beyond(requests, () => requests.flatMap(otherPages));
  });
  holdCpu(run, `whole, ${where}: CPU for making an order of two keys`, '', added, 8);

  const least = scene.stream('list', 'hot').next();
  const random = RequestStream.randomOf('list', 'conditions');
  const pages = (limit: number, drawQuery: () => string) =>
    Array.from({ length: REQUESTS }, () => {
      return { ...least, path: `${LIST_PATH}?limit=${limit}${drawQuery()}` };
    });
  for (const [label, reach, draw, limit = 0] of CONDITIONS) {
    const cpu = await overRounds(rounds, () =>
      beyond(
        pages(limit, () => `&${draw(random, facts)}`),
        () => pages(limit, () => ''),
      ),
    );
    const what = `conditions with limit=0, ${where}: CPU beyond that of none`;
    holdCpu(run, what, label, cpu, reach);
  }
}

/** Returns other pages in the order of `request`, in front of its own. */
function otherPages(request: BenchRequest): BenchRequest[] {
  const skip = Number(/skip=(\d+)/.exec(request.path)?.[1] ?? 0);
  return Array.from({ length: PAGES_OF_ORDER }, (_, page) => {
    const other = Math.floor((skip * page) / PAGES_OF_ORDER);
    return { ...request, path: request.path.replace(/skip=\d+/, `skip=${other}`) };
  });
}
