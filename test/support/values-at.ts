/** Every value at a dotted path in which `*` stands for any element or entry; none below null. */
export function valuesAt(value: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (found, key) =>
      found.flatMap((each) => {
        if (typeof each !== 'object' || each === null) return [];
        return key === '*' ? Object.values(each) : [(each as Record<string, unknown>)[key]];
      }),
    [value],
  );
}
