/** Texts decoded, to look for a secret in them. */

/** `text` with every escape undone, however often it was made. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  const plain = text.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return plain === text ? text : decoded(plain);
}
