/** workerd's configuration, a Cap'n Proto text, from plain objects. */

/** A value of the configuration that is written as it stands, such as `embed "file"`. */
class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type CapnpValue =
  | string
  | boolean
  | Verbatim
  | readonly CapnpValue[]
  | { readonly [name: string]: CapnpValue };

/** The content of the file at `path`. */
export const embed = (path: string): Verbatim => new Verbatim(`embed ${JSON.stringify(path)}`);

/** The text of a configuration file. */
export function writeConfig(config: CapnpValue): string {
  return [
    'using Workerd = import "/workerd/workerd.capnp";',
    `const config :Workerd.Config = ${writeValue(config)};`,
    '',
  ].join('\n');
}

function writeValue(value: CapnpValue): string {
  if (value instanceof Verbatim) return value.text;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map(writeValue).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${name} = ${writeValue(member)}`);
  return `(${members.join(', ')})`;
}

/** `Array.isArray` does not narrow to readonly arrays. */
function isList(value: CapnpValue): value is readonly CapnpValue[] {
  return Array.isArray(value);
}
