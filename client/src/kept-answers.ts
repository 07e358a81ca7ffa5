/** Answers kept with their tags, so that an unchanged one is not sent again. */

export interface KeptAnswer {
  readonly tag: string;
  /** As it was sent: who asks gets an object of their own. */
  readonly body: string;
  /** How words were read, which a 304 does not say again; null without a search for them. */
  readonly reading: string | null;
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
