/** workerd's configuration, a Cap'n Proto text, from plain objects. */

/** `{ embed: path }` is the content of that file. */
export type CapnpValue = string | boolean | CapnpValue[] | { readonly [name: string]: CapnpValue };

/** Returns the text of a configuration file. */
export function writeConfig(config: CapnpValue): string {
  return [
    'using Workerd = import "/workerd/workerd.capnp";',
    `const config :Workerd.Config = ${writeValue(config)};`,
    '',
  ].join('\n');
}

function writeValue(value: CapnpValue): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  const { embed } = value;
  if (embed) return `embed ${writeValue(embed)}`;
  const members = Object.entries(value).map(([name, member]) => `${name} = ${writeValue(member)}`);
  return `(${members.join(', ')})`;
}
