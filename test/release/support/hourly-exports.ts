/**
 * Exports of one directory, hour after hour: each differs from the one before in a hundredth of its
 * stores, a third of which is edited, a third gone and a third new.
 */
import { Random } from '../../../fixtures/generator/random.ts';
import { generateStore } from '../../../fixtures/generator/store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';

const OPTIONS = { seed: 20_261_122, languages: 8 } as const;
const HUNDREDTH = 100;
const KINDS_OF_CHANGE = 3;

interface Member {
  /** Of the generator. */
  readonly number: number;
  /** How often it has been edited. */
  readonly edition: number;
}

export class HourlyExport {
  /** 0 for the first one. */
  readonly number: number;
  private readonly members: readonly Member[];
  /** The number of the next store that is new. */
  private readonly next: number;

  private constructor(number: number, members: readonly Member[], next: number) {
    this.number = number;
    this.members = members;
    this.next = next;
  }

  static first(count: number): HourlyExport {
    const members = Array.from({ length: count }, (_, number) => ({ number, edition: 0 }));
    return new HourlyExport(0, members, count);
  }

  /** The export of an hour later. */
  later(): HourlyExport {
    const number = this.number + 1;
    const random = new Random(OPTIONS.seed, number);
    const count = Math.ceil(this.members.length / HUNDREDTH / KINDS_OF_CHANGE);
    const members = [...this.members];
    const draw = () => Math.floor(random.fraction() * members.length);
    for (let change = 0; change < count; change++) {
      const edited = draw();
      const member = members[edited] as Member;
      members[edited] = { ...member, edition: member.edition + 1 };
      members[draw()] = { number: this.next + change, edition: 0 };
    }
    return new HourlyExport(number, members, this.next + count);
  }

  /** One at a time, made anew: a hundred thousand are more than memory holds. */
  *stores(): Generator<SourceStore> {
    for (const { number, edition } of this.members) {
      const store = generateStore(number, OPTIONS);
      const name = edition === 0 ? store.profile.name : `${store.profile.name} ${edition}`;
      yield { ...store, profile: { ...store.profile, name } };
    }
  }
}
