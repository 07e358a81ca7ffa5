/** A snapshot object that cannot be used: damaged, cut short, or written by another version. */
export class SnapshotFormatError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SnapshotFormatError';
  }
}

/** Fails unless `got` is `expected`. */
export function expectEqual(what: string, got: number | string, expected: number | string): void {
  if (got !== expected) throw new SnapshotFormatError(`${what}: got ${got}, expected ${expected}`);
}

/** Fails when the version of an object is not ours, and says what to do about it. */
export function expectVersion(what: string, got: number, ours: number): void {
  if (got === ours) return;
  const advice =
    got > ours
      ? 'deploy a Worker that reads this version'
      : 'publish again with the current command-line tool';
  throw new SnapshotFormatError(`${what}: got format version ${got}, expected ${ours}; ${advice}`);
}
