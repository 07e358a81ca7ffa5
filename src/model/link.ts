/** Addresses that partners put into links and images. */
import * as z from 'zod';

const WEB_PROTOCOLS: readonly (string | undefined)[] = ['http:', 'https:'];

/** How a complete http or https URL begins. */
export const WEB_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/]/;

/** A complete http or https URL. */
export const webUrlSchema = z
  .string()
  .refine(
    (text) => WEB_URL.test(text) && URL.canParse(text),
    'expected a complete http or https URL, such as https://stores.example/1',
  );

/**
 * Any text except a URL that is neither http nor https. The contract only asks for a string, and a
 * store without a logo has an empty one; but a `javascript:` link would run on a partner's page.
 */
export const linkSchema = z.string().refine((text) => {
  const protocol = protocolOf(text);
  return protocol === undefined || WEB_PROTOCOLS.includes(protocol);
}, 'expected no URL but an http or https one');

/** The protocol of `text` as browsers read it, white space removed; undefined when it is no URL. */
function protocolOf(text: string): string | undefined {
  return URL.parse(text)?.protocol;
}
