/** Addresses that partners put into links and images. */
import { z } from 'zod';

const WEB_PROTOCOLS: readonly (string | null)[] = ['http:', 'https:'];

/** An address of the web, complete. */
export const webUrlSchema = z
  .string()
  .refine((text) => WEB_PROTOCOLS.includes(protocolOf(text)), 'expected an http or https URL');

/**
 * Any text that is no address of another kind. The contract says no more than that it is a string,
 * and there are stores without a logo; but `javascript:` in a link would run on a partner's page.
 */
export const linkSchema = z.string().refine((text) => {
  const protocol = protocolOf(text);
  return protocol === null || WEB_PROTOCOLS.includes(protocol);
}, 'expected no URL but an http or https one');

/** What a browser takes for the protocol of `text`, with the white space it overlooks; else null. */
function protocolOf(text: string): string | null {
  return URL.canParse(text) ? new URL(text).protocol : null;
}
