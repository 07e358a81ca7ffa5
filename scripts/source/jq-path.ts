import { visible } from '../cli/output.ts';

/**
 * Returns the path of jq that leads to a key of an object: `.stores`, `."store-list"`. Strings of jq are those of
 * JSON, so that characters which are not printed as they are stand there as escapes. jq reads half of a surrogate
 * pair as U+FFFD, and refuses it in a path.
 */
export function jqPath(key: string): string {
  return /^[a-z_]\w*$/i.test(key) ? `.${key}` : `.${visible(JSON.stringify(key.toWellFormed()))}`;
}
