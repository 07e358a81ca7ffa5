/** One line of progress on a terminal, for work that takes longer than a second. */
import { formatBytes, formatCount } from './output.ts';

const BAR_WIDTH = 24;

/** How amounts are written. */
type ProgressUnit = 'stores' | 'bytes' | 'objects';

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

/** Milliseconds between two lines where there is no terminal, and between two forms of the one line on one. */
const LOG_INTERVAL = 60_000;
const TERMINAL_INTERVAL = 1_000;

/** Progress on standard error: a line that changes on a terminal, else a line a minute. */
export function openProgress(): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return lineProgress((line) => stderr.write(`${line}\n`));
  const clear = () => {
    stderr.cursorTo(0);
    stderr.clearLine(1);
  };
  const show = (line: string) => {
    clear();
    stderr.write(line.slice(0, stderr.columns - 1));
  };
  return lineProgress(show, TERMINAL_INTERVAL, clear);
}

/** Shows a line of the present phase now and then; by default as the log of a job has it. */
export function lineProgress(
  show: (line: string) => void,
  interval = LOG_INTERVAL,
  clear = () => {},
): Progress {
  let timer: NodeJS.Timeout | undefined;
  let phase: Phase = { name: '', done: 0, total: null, unit: 'stores' };
  let beganAt = 0;
  const tell = () => show(progressLine(phase, (Date.now() - beganAt) / 1000));
  return {
    begin(name, total, unit) {
      clear();
      phase = { name, done: 0, total, unit };
      beganAt = Date.now();
      // Also while nothing moves, as when the API has asked for patience; no reason to stay, though.
      timer ??= setInterval(tell, interval).unref();
    },
    update(done, total = phase.total) {
      phase = { ...phase, done, total };
    },
    end() {
      clearInterval(timer);
      timer = undefined;
      clear();
    },
  };
}

interface Phase {
  readonly name: string;
  readonly done: number;
  readonly total: number | null;
  readonly unit: ProgressUnit;
}

/** Returns the text of the progress line. @param seconds since the phase began */
export function progressLine({ name, done, total, unit }: Phase, seconds: number): string {
  if (total === null) return `${name}  ${formatAmount(done, unit)}`;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const amount = `${formatAmount(done, unit)} of ${formatAmount(total, unit)}`;
  const left = share > 0 ? `  ${formatSeconds((seconds * (1 - share)) / share)} left` : '';
  return `${name}  ${bar}  ${amount}${left}`;
}

/** Returns an amount with its unit: `1,234 stores`, `1.2 MB`. */
function formatAmount(amount: number, unit: ProgressUnit): string {
  return unit === 'bytes' ? formatBytes(amount) : `${formatCount(amount)} ${unit}`;
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
