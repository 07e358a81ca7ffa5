/** Options that several snapshot commands have. */
import { Option } from 'commander';
import { userPath } from '../cli/user-path.ts';

export function sourceOption(): Option {
  return new Option(
    '--source <file>',
    'store export: NDJSON or a JSON array, plain or gzip; - for standard input',
  ).argParser(userPath);
}

export function skipInvalidOption(): Option {
  return new Option('--skip-invalid', 'leave out faulty stores, and say which');
}
