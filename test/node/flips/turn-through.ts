/**
 * Turns the pointer from release to release while partners ask. When that is depends on what has been
 * answered, not on the time: so a slow machine does the same, more slowly.
 */
import type { Random } from '../../../fixtures/generator/random.ts';
import type { Crowd } from './crowd.ts';
import type { Edge } from './edge.ts';
import type { Turn } from './history.ts';

/** Milliseconds between two looks at the pointer, and without one after which answers wait for it. */
const LOOK = 30_000;
const LONG_PAUSE = 150_000;

/** How often a process looks before the next turn, where it is not bound to, and after a long pause. */
const LOOKING = 0.1;
const PAUSING = 0.1;

export interface Course {
  readonly edge: Edge;
  readonly crowd: Crowd;
  /** The first of them is live. */
  readonly turns: readonly Turn[];
  readonly random: Random;
}

/** Turns through all of them while at least so many requests are answered. */
export async function turnThrough(course: Course, requests: number): Promise<void> {
  const { crowd } = course;
  crowd.learn(course.turns[0] as Turn);
  const asking = crowd.run();
  try {
    // Whoever asks goes on until it is over, unless a connection breaks.
    await Promise.race([asking, turnAll(course, requests)]);
  } finally {
    crowd.end();
    await asking;
  }
}

async function turnAll(course: Course, requests: number): Promise<void> {
  const { turns } = course;
  for (const [place, turn] of turns.entries()) {
    const share = (requests * (place + 1)) / turns.length;
    if (place > 0) await flip(course, turn, share);
    await until(course, share, (answers) => answers >= share);
  }
}

/** Turns the pointer, lets some of the processes look at it, and ends when they answer from there. */
async function flip(course: Course, turn: Turn, share: number): Promise<void> {
  const { edge, crowd, random } = course;
  crowd.learn(turn);
  await edge.turn(turn);
  const { witnesses } = crowd;
  const looking = witnesses.filter(
    (_, place) => place === turn.number % witnesses.length || random.chance(LOOKING),
  );
  for (const witness of looking) witness.pass(random.chance(PAUSING) ? LONG_PAUSE : LOOK);
  await until(course, share, () => looking.every(({ newest }) => newest === turn.number));
}

/**
 * Ends when it is so, which answers bring about.
 * @param share how many answers there should be by then; where there are more, fewer ask
 */
function until({ crowd }: Course, share: number, isSo: (answers: number) => boolean) {
  return new Promise<void>((resolve) => {
    crowd.onAnswer = () => {
      const { answers } = crowd.counts;
      crowd.thin(answers >= share);
      if (isSo(answers)) resolve();
    };
  });
}
