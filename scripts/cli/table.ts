/** Plain-text tables: columns as wide as their widest cell, two spaces apart. */

/** `rows` under `header`, one line each. Every row has a cell for each column. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [header, ...rows];
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  );
  return lines.map((line) => formatLine(line, widths)).join('\n');
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  // Counted in code points, as the widths are: padEnd counts UTF-16 units.
  const padded = cells.map((cell, column) => {
    const missing = (widths[column] ?? 0) - [...cell].length;
    return cell + ' '.repeat(Math.max(0, missing));
  });
  return padded.join('  ').trimEnd();
}
