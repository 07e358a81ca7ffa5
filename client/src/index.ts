/** The client of the Rental Store Directory: all that it exports. */

export type { Schedule, ScheduleRow, TimeRange } from '../../src/hours/opening-rule.ts';
export type { Change, Changes, Page } from './answers.ts';
export type { DirectoryOptions } from './connection.ts';
export type * from './contract.ts';
export {
  type CopyState,
  MemoryCopy,
  type StoreCopy,
  type SyncOptions,
  type SyncResult,
} from './copy.ts';
export { type CallOptions, StoreDirectory } from './directory.ts';
export { ConnectionError, type ErrorCode, type Problem, ProblemError } from './errors.ts';
export type { CopiedStore, FieldPath, SelectedStore } from './fields.ts';
export {
  isOpenAt,
  nextClosing,
  nextOpening,
  type OpenTime,
  type StoreDay,
  type StoreHours,
  weekOf,
} from './opening-hours.ts';
export type * from './query.ts';
export type { Wait } from './retries.ts';
