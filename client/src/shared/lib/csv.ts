/** Tables as CSV (RFC 4180), for spreadsheets: in UTF-8 with a mark that says so, rows end with CR LF. */

export type Cell = string | number | null;

/**
 * Spreadsheets take a text that begins like this for a formula. An apostrophe before it makes it a text again
 * (OWASP, CSV injection). Numbers are written as they are: nobody else chooses them.
 */
const FORMULA = /^[\s]*[=+\-@\t\r|%]/;

export function csvOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${[header, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Gives a file to the person. */
export function download(name: string, csv: string): void {
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the file by the next turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address));
}
