/** One line of progress on a terminal, for work that takes longer than a second. */
import cliProgress from 'cli-progress';

/** Work that ends sooner than this shows nothing, milliseconds. */
const PATIENCE = 1000;
const BAR_WIDTH = 24;

/** How amounts are written. */
export type ProgressUnit = 'stores' | 'bytes' | 'objects' | 'releases';

/** What a command tells of its work. Phases follow one another; a new one ends the last. */
export interface Progress {
  /** Begins a phase. `total` is null when the amount of work is unknown. */
  begin(phase: string, total: number | null, unit: ProgressUnit): void;
  /** Says how much of the phase is done, and its total where that has become known. */
  update(done: number, total?: number | null): void;
  /** Ends the last phase and clears the line. */
  end(): void;
}

/** Shows no progress. */
export const SILENT_PROGRESS: Progress = { begin() {}, update() {}, end() {} };

/** Progress on standard error: a line that changes on a terminal, else a line a minute. */
export function openProgress(): Progress {
  return process.stderr.isTTY ? new TerminalProgress() : new LoggedProgress();
}

/** Milliseconds between two lines where there is no terminal. */
const LINE_INTERVAL = 60_000;

/** For the log of a job: work that takes less than a minute says nothing. */
export class LoggedProgress implements Progress {
  private readonly print: (line: string) => void;
  private timer: NodeJS.Timeout | undefined;
  private phase = '';
  private state = { done: 0, total: null as number | null, unit: 'stores' as ProgressUnit };
  private beganAt = 0;

  constructor(print: (line: string) => void = (line) => process.stderr.write(`${line}\n`)) {
    this.print = print;
  }

  begin(phase: string, total: number | null, unit: ProgressUnit): void {
    this.phase = phase;
    this.state = { done: 0, total, unit };
    this.beganAt = Date.now();
    // Also while nothing moves, as when the API has asked for patience; no reason to stay, though.
    this.timer ??= setInterval(() => this.tell(), LINE_INTERVAL).unref();
  }

  update(done: number, total: number | null = this.state.total): void {
    this.state = { ...this.state, done, total };
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tell(): void {
    const seconds = (Date.now() - this.beganAt) / 1000;
    this.print(progressLine(this.phase, { ...this.state, seconds }));
  }
}

class TerminalProgress implements Progress {
  private bar: cliProgress.SingleBar | null = null;
  private phase = '';
  private total: number | null = null;
  private unit: ProgressUnit = 'stores';
  private beganAt = 0;

  begin(phase: string, total: number | null, unit: ProgressUnit): void {
    this.end();
    this.phase = phase;
    this.total = total;
    this.unit = unit;
    this.beganAt = Date.now();
  }

  update(done: number, total: number | null = this.total): void {
    this.total = total;
    if (!this.bar) {
      if (Date.now() - this.beganAt < PATIENCE) return;
      this.bar = this.openBar();
    }
    this.bar.update(done);
  }

  end(): void {
    this.bar?.stop();
    this.bar = null;
  }

  private openBar(): cliProgress.SingleBar {
    const bar = new cliProgress.SingleBar({
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      format: (_options, { value }) => this.line(value),
    });
    bar.start(this.total ?? 0, 0);
    return bar;
  }

  private line(done: number): string {
    const seconds = (Date.now() - this.beganAt) / 1000;
    return progressLine(this.phase, { done, total: this.total, unit: this.unit, seconds });
  }
}

interface PhaseState {
  readonly done: number;
  readonly total: number | null;
  readonly unit: ProgressUnit;
  /** Since the phase began. */
  readonly seconds: number;
}

/** The text of the progress line. */
export function progressLine(phase: string, { done, total, unit, seconds }: PhaseState): string {
  if (total === null) return `${phase}  ${formatAmount(done, unit)}`;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const amount = `${formatAmount(done, unit)} of ${formatAmount(total, unit)}`;
  const left = share > 0 ? `  ${formatSeconds((seconds * (1 - share)) / share)} left` : '';
  return `${phase}  ${bar}  ${amount}${left}`;
}

/** An amount with its unit: `1,234 stores`, `1.2 MB`. */
function formatAmount(amount: number, unit: ProgressUnit): string {
  return unit === 'bytes' ? formatBytes(amount) : `${formatCount(amount)} ${unit}`;
}

/** `1,234` */
export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 store`, `1,200 stores` */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `830 B`, `1.2 kB`, `34 MB`: powers of 1,000, two digits where they say something. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let unit = 0;
  let amount = bytes;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit++;
  }
  return `${unit > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
