/**
 * From which network a request comes: what guesses at tokens are counted by. An IPv4 address counts
 * by itself. Of IPv6 the first 64 bits do: that much every customer of a provider has for its own.
 */

/** Groups of 16 bits in an IPv6 address, and in the part of it that names a network. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Where there is no address, or none that can be read, all requests count together. */
export const UNKNOWN_NETWORK = 'unknown';

/** An IPv4 address, by itself or in the form of an IPv6 one. */
const IPV4 = /^(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3})$/i;

/**
 * Returns the network of an address.
 * @param address as `CF-Connecting-IP` has it; null where there is none
 */
export function networkOf(address: string | null): string {
  const ipv4 = IPV4.exec(address ?? '')?.[1];
  if (ipv4 !== undefined) return ipv4;
  // URLs write an IPv6 address in one way only: small letters, no leading zeros.
  const written = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (written === undefined) return UNKNOWN_NETWORK;
  // `::` leaves out groups that are zero.
  const [head = [], tail = []] = written.split('::').map((half) => half.match(/[^:]+/g) ?? []);
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
