/** How many characters texts about a token have at most. Without zod, which `--help` does not load. */
export const MAX_PARTNER_LENGTH = 200;
export const MAX_NOTE_LENGTH = 500;
export const MAX_UTM_LENGTH = 200;
