/** Answers kept with their tags, so that an unchanged one is not sent again. */

/** What a 200 sent. */
export interface SentAnswer {
  /** As it was sent: who asks gets an object of their own. */
  readonly body: string;
  /** Some of them a 304 does not send again. */
  readonly headers: Headers;
}

export interface KeptAnswer extends SentAnswer {
  readonly tag: string;
}

export class KeptAnswers {
  private readonly answers = new Map<string, KeptAnswer>();
  private readonly capacity: number;
  private size = 0;

  /** @param capacity characters of all answers together */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get(url: string): KeptAnswer | undefined {
    const answer = this.answers.get(url);
    // The one that was used last goes last.
    if (answer && this.answers.delete(url)) this.answers.set(url, answer);
    return answer;
  }

  set(url: string, answer: KeptAnswer): void {
    this.delete(url);
    if (answer.body.length > this.capacity) return;
    this.answers.set(url, answer);
    this.size += answer.body.length;
    for (const oldest of this.answers.keys()) {
      if (this.size <= this.capacity) break;
      this.delete(oldest);
    }
  }

  private delete(url: string): void {
    this.size -= this.answers.get(url)?.body.length ?? 0;
    this.answers.delete(url);
  }
}
