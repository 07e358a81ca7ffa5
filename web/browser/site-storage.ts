/** Uses what a browser keeps for the pages. Where it blocks that, even reading the property throws. */
export function withStorage<Result>(
  name: 'localStorage' | 'sessionStorage',
  use: (storage: Storage) => Result,
): Result | null {
  try {
    return use(window[name]);
  } catch {
    return null;
  }
}
