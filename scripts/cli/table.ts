/** Plain-text tables: columns as wide as their widest cell, two spaces apart. */

/** One line for each of `rows`, of which every one has a cell for each column of the first. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  return rows.map((row) => formatLine(row, widths)).join('\n');
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  // Counted in code points, as the widths are: padEnd counts UTF-16 units.
  const padded = cells.map((cell, column) => {
    const missing = (widths[column] ?? 0) - [...cell].length;
    return cell + ' '.repeat(Math.max(0, missing));
  });
  return padded.join('  ').trimEnd();
}
