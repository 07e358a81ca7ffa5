/** Addresses that partners put into links and images. */
import * as z from 'zod';

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
  // The protocol as browsers read it, white space removed.
  const url = URL.parse(text);
  return url === null || /^https?:$/.test(url.protocol);
}, 'expected no URL but an http or https one');
