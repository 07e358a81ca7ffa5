/** Partners who ask several processes without pause, and have each answer judged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type WholeAnswer } from '../../../bench/client/connection.ts';
import { writeRequest } from '../../../bench/requests/prepare-requests.ts';
import type { Random } from '../../../fixtures/generator/random.ts';
import { LATER_HEADER } from '../../shared/told-time.ts';
import type { Edge } from './edge.ts';
import type { Turn } from './history.ts';
import { Judge, type Verdict } from './judge.ts';
import { type ListQuestion, type Question, Questioner } from './questions.ts';
import { Walk } from './walk.ts';
import { Witness } from './witness.ts';

/** To each process. */
const CONNECTIONS = 4;

/** Shares of questions that go on with a walk, and that ask again with the tag of an earlier answer. */
const WALKING = 0.15;
const ASKING_AGAIN = 0.35;

/** Milliseconds between two questions of the one connection that goes on where few are to ask. */
const PAUSE = 20;

/** How many earlier answers are asked for again. */
const REMEMBERED = 300;

interface Task {
  readonly question: Question;
  readonly tag: string | null;
  readonly walk: Walk | null;
}

export class Crowd {
  readonly counts = { answers: 0, notModified: 0, notFound: 0, walks: 0 };
  /** What was wrong with answers. */
  readonly failures: string[] = [];
  readonly witnesses: readonly Witness[];
  /** Called after each answer. */
  onAnswer: () => void = () => {};
  private readonly edge: Edge;
  private readonly judge: Judge;
  private readonly random: Random;
  private readonly questioner: Questioner;
  /** Questions with the tags of their answers, the oldest first. */
  private readonly remembered: Task[] = [];
  /** Walks that wait for somebody to ask for the next page, of whichever process. */
  private readonly walks: Walk[] = [];
  private live = 0;
  private isOver = false;
  /** Settled when all connections may ask; null: they may now. */
  private pause: PromiseWithResolvers<void> | null = null;

  /** @param turns all that will go live */
  constructor(edge: Edge, turns: readonly Turn[], random: Random) {
    this.edge = edge;
    this.judge = new Judge(turns);
    this.random = random;
    this.questioner = new Questioner(random);
    this.witnesses = edge.ports.map((port) => new Witness(port));
  }

  /** Says that a release may answer from now on. */
  learn({ number, release }: Turn): void {
    this.live = number;
    this.questioner.learn(release.stores);
  }

  /** Asks until it is over. @throws Error when a connection breaks */
  async run(): Promise<void> {
    await Promise.all(
      this.witnesses.flatMap((witness) =>
        Array.from({ length: CONNECTIONS }, (_, place) => this.askOn(witness, place === 0)),
      ),
    );
  }

  /** Leaves one connection to each process to go on, or lets all of them; nobody waits once it is over. */
  thin(isThin: boolean): void {
    if (!isThin || this.isOver) {
      this.pause?.resolve();
      this.pause = null;
    } else this.pause ??= Promise.withResolvers();
  }

  end(): void {
    this.isOver = true;
    this.thin(false);
  }

  private async askOn(witness: Witness, isFirst: boolean): Promise<void> {
    const connection = await Connection.open(witness.port);
    try {
      while (!this.isOver) {
        await this.perform(this.nextTask(), connection, witness);
        if (this.pause) await (isFirst ? sleep(PAUSE) : this.pause.promise);
      }
    } finally {
      connection.close();
    }
  }

  private nextTask(): Task {
    const { random, remembered } = this;
    if (random.chance(WALKING)) {
      const walk = this.walks.shift() ?? new Walk(this.questioner.walk());
      return { question: walk.question as ListQuestion, tag: null, walk };
    }
    if (remembered.length > 0 && random.chance(ASKING_AGAIN)) return random.pick(remembered);
    return { question: this.questioner.next(), tag: null, walk: null };
  }

  private async perform(task: Task, connection: Connection, witness: Witness): Promise<void> {
    const { question, tag, walk } = task;
    const later = await witness.begin();
    const least = witness.newest;
    const answer = await connection.fetch(this.write(task, later));
    witness.end();
    this.counts.answers++;
    try {
      const { token } = question;
      const utm = this.edge.tokens.known[this.edge.tokens.texts[token]] ?? null;
      const most = this.live;
      const verdict = this.judge.hear({ question, utm, ifNoneMatch: tag, answer, least, most });
      this.note(verdict, answer, witness);
      if (verdict.tag) this.remember({ question, tag: verdict.tag, walk: null });
      if (walk) this.goOn(walk, question as ListQuestion, answer, verdict);
    } catch (error) {
      const condition = tag === null ? '' : ` (If-None-Match: ${tag})`;
      this.failures.push(`${question.path}${condition}: ${(error as Error).message}`);
    }
    this.onAnswer();
  }

  /** @param later milliseconds that have passed */
  private write({ question, tag }: Task, later: number): Uint8Array {
    const headers = [
      ...(tag === null ? [] : [`if-none-match: ${tag}`]),
      ...(later === 0 ? [] : [`${LATER_HEADER}: ${later}`]),
    ];
    return writeRequest(question.path, this.edge.tokens.texts[question.token], headers);
  }

  private note({ turn }: Verdict, { status }: WholeAnswer, witness: Witness): void {
    if (status === 304) this.counts.notModified++;
    if (status === 404) this.counts.notFound++;
    witness.note(turn);
  }

  private remember(task: Task): void {
    this.remembered.push(task);
    if (this.remembered.length > REMEMBERED) this.remembered.shift();
  }

  private goOn(walk: Walk, asked: ListQuestion, answer: WholeAnswer, { turn }: Verdict): void {
    walk.follow(asked, answer, turn);
    if (walk.question) this.walks.push(walk);
    else this.counts.walks++;
  }
}
