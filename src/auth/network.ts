/**
 * From which network a request comes: what guesses at tokens are counted by. An IPv4 address counts
 * by itself. Of IPv6 the first 64 bits do: that much every customer of a provider has for its own.
 */

/** Groups of 16 bits in an IPv6 address, and in the part of it that names a network. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Where there is no address, or none that can be read, all requests count together. */
export const UNKNOWN_NETWORK = 'unknown';

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;
const GROUP = /^[0-9a-f]{1,4}$/i;

/** An IPv4 address in the form of an IPv6 one. */
const MAPPED_IPV4 = /^::ffff:((?:\d{1,3}\.){3}\d{1,3})$/i;

/**
 * The network of an address.
 * @param address as `CF-Connecting-IP` has it; null where there is none
 */
export function networkOf(address: string | null): string {
  if (address === null) return UNKNOWN_NETWORK;
  if (IPV4.test(address)) return address;
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const groups = groupsOf(address);
  if (groups === null) return UNKNOWN_NETWORK;
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16));
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, of which `::` leaves out those that are zero. */
function groupsOf(address: string): string[] | null {
  const halves = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [head = [], tail] = halves;
  const missing = GROUPS - head.length - (tail?.length ?? 0);
  if (halves.length > 2 || (tail ? missing < 1 : missing !== 0)) return null;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])];
  return groups.every((group) => GROUP.test(group)) ? groups : null;
}
