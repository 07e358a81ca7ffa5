/**
 * What a source is to hold, as whoever made it says: a file that was cut off at the end of a line
 * looks whole, and only this tells.
 *
 * It is said by options, or by a file beside the source: `export.ndjson.gz.expect.json` with
 *
 *     { "stores": 2658, "sha256": "…" }
 *
 * either of which may be left out. The hash is that of the file as it lies there, zipped or not.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from '../cli/command-error.ts';
import { formatCount } from '../cli/progress.ts';
import { type Fault, recordFault } from './fault.ts';

const SIDECAR_SUFFIX = '.expect.json';

const expectationSchema = z
  .strictObject({
    stores: z.int().min(0).optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional(),
  })
  .refine(({ stores, sha256 }) => stores !== undefined || sha256 !== undefined);

type Expectation = z.infer<typeof expectationSchema>;

/** What is expected, and who says so: an option, or a file that its reader may have forgotten. */
export interface ExpectedSource extends Expectation {
  readonly storesSaidBy?: string;
  readonly sha256SaidBy?: string;
}

export interface ExpectationChoice {
  readonly expectStores?: number;
  /** A file that says it. */
  readonly expect?: string;
}

/**
 * What is expected of `source`: what the options say, else what the file beside it does, else nothing.
 * @throws UsageError expectation_unreadable
 */
export async function readExpectation(
  source: string,
  { expectStores, expect }: ExpectationChoice,
): Promise<ExpectedSource> {
  const file = expect ?? source + SIDECAR_SUFFIX;
  const said = await readSidecar(file, expect !== undefined);
  const byFile = { ...said, storesSaidBy: `"${file}"`, sha256SaidBy: `"${file}"` };
  if (expectStores === undefined) return byFile;
  return { ...byFile, stores: expectStores, storesSaidBy: '--expect-stores' };
}

async function readSidecar(file: string, isRequired: boolean): Promise<Expectation> {
  const unreadable = (why: string, cause: unknown) =>
    new UsageError(`cannot read "${file}", which says what the source is to hold: ${why}`, {
      code: 'expectation_unreadable',
      cause,
    });
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isRequired) return {};
    throw unreadable(code === 'ENOENT' ? 'there is no such file' : message, error);
  }
  try {
    return expectationSchema.parse(JSON.parse(text));
  } catch (error) {
    const form = '{ "stores": 2658, "sha256": "64 hexadecimal digits" }, or one of the two';
    throw unreadable(`expected ${form}`, error);
  }
}

/** Watches a source as it is read and says in the end how it differs from what was expected. */
export class ExpectationWatch {
  private readonly expected: ExpectedSource;
  private readonly hash = createHash('sha256');

  constructor(expected: ExpectedSource) {
    this.expected = expected;
  }

  /** Takes bytes of the source as they lie in it. */
  take(bytes: Uint8Array): void {
    if (this.expected.sha256 !== undefined) this.hash.update(bytes);
  }

  /** Each difference, once all of the source was read. @param stores how many it holds, good or not */
  differences(stores: number): Fault[] {
    const { stores: expectedStores = stores, storesSaidBy, sha256, sha256SaidBy } = this.expected;
    const faults: Fault[] = [];
    if (stores !== expectedStores) {
      const count = `expected ${formatCount(expectedStores)} stores, as ${storesSaidBy} says`;
      const message = stores < expectedStores ? `${count}: the source was cut off` : count;
      faults.push(recordFault('other_store_count', 1, message, { value: formatCount(stores) }));
    }
    const found = sha256 === undefined ? undefined : this.hash.digest('hex');
    if (found !== undefined && found !== sha256?.toLowerCase()) {
      const message = `expected a file whose SHA-256 is ${sha256}, as ${sha256SaidBy} says`;
      faults.push(recordFault('other_sha256', 1, message, { value: found }));
    }
    return faults;
  }
}
