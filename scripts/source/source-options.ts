/** Options that several snapshot commands have. */
import { Option } from 'commander';
import { integerFrom, userPathOrStream } from '../cli/option-values.ts';

export function sourceOption(): Option {
  return new Option(
    '--source <file>',
    'store export: NDJSON or a JSON array, plain or gzip; - for standard input',
  ).argParser(userPathOrStream);
}

export function expectStoresOption(): Option {
  return new Option(
    '--expect-stores <number>',
    'refuse any other number of stores: a file that was cut off looks whole',
  ).argParser(integerFrom(0));
}

export function skipInvalidOption(): Option {
  return new Option('--skip-invalid', 'leave out faulty stores, and say which');
}
