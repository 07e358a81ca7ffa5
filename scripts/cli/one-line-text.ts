/** Texts of one line that users give on the command line, to be stored and shown to others. */
import { UsageError } from './command-error.ts';

/** What is no text for a line: control characters, line ends, and what turns the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/**
 * Reads the text of `option`, of at most `longest` characters (null: any length). It is not repeated
 * in refusals: it may be anything.
 * @throws UsageError when it is blank, too long, or not of one line
 */
export function oneLineText(option: string, longest: number | null): (text: string) => string {
  return (text) => {
    if (UNPRINTABLE.test(text)) {
      throw new UsageError(`${option} has a control character or a line break`);
    }
    if (text.trim() === '') throw new UsageError(`${option} is blank`);
    if (longest !== null && text.length > longest) {
      const got = `${option}: got ${text.length} characters`;
      throw new UsageError(`${got}, expected at most ${longest}`);
    }
    return text;
  };
}
