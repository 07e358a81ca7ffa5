/** A walk over a whole list, page by page as the links lead, whatever goes live meanwhile. */
import type { WholeAnswer } from '../../../bench/client/connection.ts';
import { headerOf } from '../../../bench/requests/prepare-requests.ts';
import type { Turn } from './history.ts';
import type { ListQuestion } from './questions.ts';

export class Walk {
  /** The next page to ask for; null at the end. */
  question: ListQuestion | null;
  private readonly turns: Turn[] = [];
  private readonly ids: string[] = [];

  constructor(first: ListQuestion) {
    this.question = first;
  }

  /**
   * Goes on after a page, which was right for the release that it names.
   * @throws Error when the link does not lead on, or at the end when a store was met twice or missed
   */
  follow(asked: ListQuestion, answer: WholeAnswer, turn: Turn): void {
    const { docs } = JSON.parse(answer.body.toString()) as { docs: { id: string }[] };
    this.turns.push(turn);
    this.ids.push(...docs.map(({ id }) => id));
    const last = docs.at(-1)?.id ?? asked.params.after ?? '';
    const hasMore = turn.release.stores.some(({ id }) => id > last);
    const link = headerOf(answer, 'link');
    if (!hasMore) {
      if (link !== undefined) throw new Error(`${turn.name}: a link after the last page: ${link}`);
      this.question = null;
      this.end();
      return;
    }
    const path = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
    const after = path && new URLSearchParams(path.slice(path.indexOf('?'))).get('after');
    if (!path || after !== last)
      throw new Error(`${turn.name}: ${link} does not lead past ${last}`);
    this.question = { ...asked, path, params: { ...asked.params, after } };
  }

  /** @throws Error unless each store that was there throughout was met once, and none twice */
  private end(): void {
    const met = new Set(this.ids);
    if (met.size < this.ids.length) throw new Error(`met twice: ${this.ids}`);
    const [first, ...others] = this.turns.map(
      ({ release }) => new Set(release.stores.map(({ id }) => id)),
    );
    const missed = [...(first ?? [])].filter(
      (id) => others.every((ids) => ids.has(id)) && !met.has(id),
    );
    if (missed.length > 0) throw new Error(`missed: ${missed}`);
  }
}
