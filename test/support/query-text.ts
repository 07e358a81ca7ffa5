/** Writing a query string in the ways partners write one. */

/** The ways to write an array, which all mean the same. */
export const ARRAY_STYLES = ['repeated', 'commas', 'brackets', 'escapedBrackets', 'mixed'] as const;

export type ArrayStyle = (typeof ARRAY_STYLES)[number];

/** `name=value` parameters for the values of an array. */
export function arrayParameters(
  name: string,
  values: readonly string[],
  style: ArrayStyle,
): string[] {
  const escaped = values.map(encodeURIComponent);
  switch (style) {
    case 'repeated':
      return escaped.map((value) => `${name}=${value}`);
    case 'commas':
      return [`${name}=${escaped.join(',')}`];
    case 'brackets':
      return escaped.map((value) => `${name}[]=${value}`);
    case 'escapedBrackets':
      return escaped.map((value) => `${name}%5B%5D=${value}`);
    case 'mixed': {
      const [first = '', ...rest] = escaped;
      return rest.length === 0 ? [`${name}=${first}`] : [`${name}=${first}`, `${name}=${rest}`];
    }
  }
}
