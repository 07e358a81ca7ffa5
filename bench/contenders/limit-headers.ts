/** Headers that say to the limit what to send. All contenders get them; it alone reads them. */

export const CASE_HEADER = 'x-bench-case';

/** Length of the body. */
export const BYTES_HEADER = 'x-bench-bytes';
