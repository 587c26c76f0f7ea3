/** RFC 4180 for spreadsheets: UTF-8 with a byte order mark, rows separated by CR LF. */

export const CSV_TYPE = 'text/csv';

export type Cell = string | number | null;

/**
 * A leading apostrophe prevents formulas of spreadsheets (OWASP, CSV injection), which some also read from full-width
 * characters. Numbers are not escaped.
 */
const FORMULA = /^\s*[=+\-@\t\r|%＝＋－＠｜％]/;

export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${[header, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
