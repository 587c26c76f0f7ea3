import type { ReactNode } from 'react';
import { cx } from '../lib/class-names';

export interface Column<Row> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** True to hide it on narrow screens. Not for the column that identifies the row. */
  readonly secondary?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** The first column contains row headers. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}) {
  const last = columns.length - 1;
  const lastOnPhone = columns.findLastIndex(({ secondary }) => !secondary);
  const cellStyle = (column: Column<Row>, index: number) =>
    cx(
      index === 0 ? 'covers-start' : index === last ? 'covers-end' : index === lastOnPhone && 'max-md:covers-end',
      'px-3 py-3 sm:px-4',
      column.align === 'right' && 'text-right tabular-nums',
      column.secondary && 'hidden md:table-cell',
    );
  return (
    // The keyboard must be able to scroll it.
    <div
      role="group"
      aria-label={caption}
      tabIndex={0}
      className="scroll-edges overflow-x-auto rounded-card border border-line bg-surface"
    >
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            {columns.map((column, index) => (
              <th key={column.title} scope="col" className={cx(cellStyle(column, index), 'py-2.5 font-medium')}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowKey(row)} className="border-b border-line last:border-b-0">
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.title} scope="row" className={cx(cellStyle(column, index), 'font-medium')}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} className={cellStyle(column, index)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
