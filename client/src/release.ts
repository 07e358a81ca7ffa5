/** Names of releases: `<number>-<content id>`. The number only grows. */

/** @throws TypeError when `name` is no name of a release */
export function releaseNumber(name: string): number {
  const number = /^(\d{1,15})-./.exec(name)?.[1];
  if (number === undefined) throw new TypeError(`"${name.slice(0, 60)}" is no name of a release.`);
  return Number(number);
}

/** The one of `names` with the highest number. */
export function newestOf(names: Iterable<string>): string {
  let newest: string | null = null;
  for (const name of names) {
    if (newest === null || releaseNumber(name) > releaseNumber(newest)) newest = name;
  }
  if (newest === null) throw new TypeError('There is no release.');
  return newest;
}
