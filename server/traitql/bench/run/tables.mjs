/** Formats a table. The first row is the head, the first column contains names. `texts` are other non-numeric columns. */
export function table(rows, texts = []) {
  const isText = column => column === 0 || texts.includes(column);
  const cells = rows.map(row => row.map(value => String(value ?? 'n/a')));
  const widths = cells[0].map((_, column) => Math.max(...cells.map(row => row[column].length)));
  const line = row =>
    `| ${row.map((cell, column) => (isText(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (isText(column) ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  const [head, ...rest] = cells.map(line);
  return [head, rule, ...rest].join('\n');
}

export function median(numbers) {
  const sorted = numbers
    .filter(number => number !== null && number !== undefined)
    .toSorted((one, other) => one - other);
  if (sorted.length === 0) return null;
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}

export function formatInteger(number) {
  return number === null || number === undefined ? null : Math.round(number).toLocaleString('en-US');
}

export function formatNumber(number) {
  if (number === null || number === undefined) return null;
  if (number >= 100) return formatInteger(number);
  return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}

export function megabytes(bytes) {
  return bytes === null || bytes === undefined ? null : (bytes / 1e6).toFixed(1);
}
