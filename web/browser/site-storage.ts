/** What a browser keeps for the pages. Already reading the property throws where it blocks that. */
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
