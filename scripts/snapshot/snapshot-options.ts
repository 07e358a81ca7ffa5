/** Options that several snapshot commands have. */
import { Option } from 'commander';

export function sourceOption(): Option {
  return new Option(
    '--source <file>',
    'store export: NDJSON or a JSON array, plain or gzip; - for standard input',
  );
}

export function skipInvalidOption(): Option {
  return new Option('--skip-invalid', 'leave out faulty stores, and say which');
}
