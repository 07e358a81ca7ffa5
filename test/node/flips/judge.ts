/** Holds each answer against the release that it names, to the last byte, and its tag against all others. */
import type { WholeAnswer } from '../../../bench/client/connection.ts';
import { headerOf } from '../../../bench/requests/prepare-requests.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Utm } from '../../../src/model/utm.ts';
import {
  answerList,
  answerStore,
  findStore,
  type ShowStore,
  showStore,
} from '../../shared/oracle/answer.ts';
import type { Turn } from './history.ts';
import type { Question } from './questions.ts';

export interface Hearing {
  readonly question: Question;
  /** Attribution of the token that asked. */
  readonly utm: Utm | null;
  /** The tag that was sent along, of an earlier answer to the same question. */
  readonly ifNoneMatch: string | null;
  readonly answer: WholeAnswer;
  /** Numbers of the releases between which the answer must lie. */
  readonly least: number;
  readonly most: number;
}

/** The answer was right: which release it is of, and its tag, if it has one. */
export interface Verdict {
  readonly turn: Turn;
  readonly tag: string | null;
}

/** What stood behind the tags of a question's answers: each names one content, and each content one tag. */
interface Tags {
  readonly contents: Map<string, string>;
  readonly tags: Map<string, string>;
}

export class Judge {
  private readonly turns: ReadonlyMap<string, Turn>;
  private readonly tags = new Map<string, Tags>();
  private readonly numbers = new WeakMap<SourceStore, number>();
  private readonly show = remembering(showStore);
  private known = 0;

  constructor(turns: readonly Turn[]) {
    this.turns = new Map(turns.map((turn) => [turn.name, turn]));
  }

  /** @throws Error that says what is wrong with the answer */
  hear(hearing: Hearing): Verdict {
    const { answer, least, most } = hearing;
    const name = headerOf(answer, 'x-snapshot-release');
    const turn = this.turns.get(name ?? '');
    if (!turn) throw new Error(`${answer.status} of release ${name}: ${answer.body}`);
    if (turn.number < least) throw new Error(`of ${name}, after one of ${least}`);
    if (turn.number > most) throw new Error(`of ${name}, before it was live`);
    switch (answer.status) {
      case 200:
        expectText(answer.body.toString(), this.bodyOf(hearing, turn) ?? 'no such store');
        return { turn, tag: this.hearTag(hearing, turn) };
      case 304:
        return { turn, tag: this.hearUnchanged(hearing, turn) };
      case 404:
        expectText(JSON.parse(answer.body.toString()).code, unknownIn(hearing, turn));
        return { turn, tag: null };
      default:
        throw new Error(`${answer.status} ${answer.body}`);
    }
  }

  /** What the question has to be answered from this release; null: a 404. */
  private bodyOf({ question, utm }: Hearing, { release }: Turn): string | null {
    const attribution = utm ? { utm } : {};
    const body =
      question.kind === 'list'
        ? answerList(release.stores, { ...question.params, ...attribution }, this.show)
        : answerStore(release.stores, question.idOrSlug, { ...question.params, ...attribution });
    return body && JSON.stringify(body);
  }

  /** Equal contents have equal tags, others have others, whichever process makes them. */
  private hearTag(hearing: Hearing, turn: Turn): string {
    const { question, ifNoneMatch, answer } = hearing;
    const tag = headerOf(answer, 'etag') ?? '';
    if (!/^"[^"]+"$/.test(tag)) throw new Error(`of ${turn.name}: the tag is ${tag}`);
    const content = this.contentOf(question, turn);
    const known = this.tagsOf(question);
    const [tagBefore, contentBefore] = [known.tags.get(content), known.contents.get(tag)];
    if (tagBefore !== undefined && tagBefore !== tag) {
      throw new Error(`of ${turn.name}: the tag ${tag} was ${tagBefore} for the same content`);
    }
    if (contentBefore !== undefined && contentBefore !== content) {
      throw new Error(`of ${turn.name}: the tag ${tag} was that of other content`);
    }
    if (ifNoneMatch === tag) throw new Error(`of ${turn.name}: 200 to its own tag ${tag}`);
    known.tags.set(content, tag);
    known.contents.set(tag, content);
    return tag;
  }

  /** A 304 comes where what stood behind the tag that was sent is what the release has. */
  private hearUnchanged({ question, ifNoneMatch, answer }: Hearing, turn: Turn): string {
    const tag = headerOf(answer, 'etag') ?? '';
    const before = this.tagsOf(question).contents.get(ifNoneMatch ?? '');
    const now = this.contentOf(question, turn);
    if (tag !== ifNoneMatch || before !== now || answer.body.length > 0) {
      throw new Error(`of ${turn.name}: 304 ${tag} of ${now} to ${ifNoneMatch} of ${before}`);
    }
    return tag;
  }

  /** What an answer is made of: a list of its release, a store of itself. */
  private contentOf(question: Question, { release }: Turn): string {
    if (question.kind === 'list') return release.manifest.release;
    const store = findStore(release.stores, question.idOrSlug);
    return store ? `store ${this.numberOf(store)}` : 'no such store';
  }

  /** Stores that were not changed are the same object from release to release. */
  private numberOf(store: SourceStore): number {
    const number = this.numbers.get(store) ?? ++this.known;
    this.numbers.set(store, number);
    return number;
  }

  private tagsOf({ token, path }: Question): Tags {
    const key = `${token} ${path}`;
    const tags = this.tags.get(key) ?? { contents: new Map(), tags: new Map() };
    this.tags.set(key, tags);
    return tags;
  }
}

/** Shows each store once in each way: most stores of a release are those of the one before. */
function remembering(show: ShowStore): ShowStore {
  const shown = new WeakMap<SourceStore, Map<string, object>>();
  return (store, view, fields) => {
    // Few stores are asked for at the same distance again.
    if (view.distance !== undefined) return show(store, view, fields);
    const key = JSON.stringify([view.lang, view.locationIndex, view.utm, fields]);
    const known = shown.get(store) ?? new Map<string, object>();
    const answer = known.get(key) ?? show(store, view, fields);
    shown.set(store, known.set(key, answer));
    return answer;
  };
}

/** The code of the 404 that the question has to get. */
function unknownIn({ question }: Hearing, { release }: Turn): string {
  if (question.kind === 'list') return 'no 404';
  const { idOrSlug, params } = question;
  const store = findStore(release.stores, idOrSlug);
  if (!store) return 'store_unknown';
  const isKnown = answerStore(release.stores, idOrSlug, params) !== null;
  return isKnown ? 'no 404' : 'rental_point_unknown';
}

/** @throws Error that shows where the two part */
function expectText(got: string, wanted: string): void {
  if (got === wanted) return;
  let parting = 0;
  while (got[parting] === wanted[parting]) parting++;
  const around = (text: string) => text.slice(Math.max(0, parting - 100), parting + 100);
  throw new Error(`character ${parting}: got ${around(got)}, expected ${around(wanted)}`);
}
