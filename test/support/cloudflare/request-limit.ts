/** What Cloudflare's API allows an account: 1,200 requests in five minutes, as every answer tells. */
import { refuse, type StandInAnswer } from './stand-in-answer.ts';

const REQUESTS = 1_200;
/** Milliseconds. */
const WINDOW = 300_000;

export class RequestLimit {
  /** Requests that were refused because there had been too many. */
  refused = 0;
  private readonly now: () => number;
  /** When the requests of the last window came, the oldest first. */
  private times: number[] = [];

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Answers by `answer`, or refuses to. */
  async answer(answer: () => Promise<StandInAnswer>): Promise<StandInAnswer> {
    const now = this.now();
    this.times = this.times.filter((time) => time > now - WINDOW);
    if (this.times.length >= REQUESTS) {
      this.refused++;
      return this.told(refuse(429, 10_429, 'rate limited'));
    }
    this.times.push(now);
    return this.told(await answer());
  }

  private told({ headers, ...answer }: StandInAnswer): StandInAnswer {
    const left = REQUESTS - this.times.length;
    const renewal = Math.ceil(((this.times[0] ?? this.now()) + WINDOW - this.now()) / 1000);
    return { ...answer, headers: { ...headers, ratelimit: `"default";r=${left};t=${renewal}` } };
  }
}
