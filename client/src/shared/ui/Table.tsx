import { useRef, type ReactNode } from 'react';
import { cx } from '../lib/class-names';
import { Icon } from './Icon';
import { AllRowsCheckbox, RowCheckbox } from './TableSelection';

export interface Column<Row> {
  readonly title: string;
  /** Makes the title a button that sorts the rows, or reverses their order if they are sorted by this column. */
  readonly sort?: { readonly order: 'ascending' | 'descending' | null; readonly onSort: () => void };
  readonly align?: 'left' | 'right';
  /** True to hide it on narrow screens. Not for the column that identifies the row. */
  readonly secondary?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export interface Selection<Row> {
  /** The keys of the selected rows. */
  readonly selected: ReadonlySet<string>;
  readonly nameOf: (row: Row) => string;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

/** The first column contains row headers. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  linked = false,
  selection,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** True if the first cell contains a `ROW_LINK`. */
  linked?: boolean;
  /** Adds a checkbox to each row, and one for all rows. */
  selection?: Selection<Row>;
}) {
  const lastChanged = useRef<string | null>(null);
  const keys = rows.map(rowKey);
  const last = columns.length - 1;
  const lastOnPhone = columns.findLastIndex(({ secondary }) => !secondary);
  const cellStyle = (column: Column<Row>, index: number) =>
    cx(
      index === 0 && !selection
        ? 'covers-start'
        : index === last
          ? 'covers-end'
          : index === lastOnPhone && 'max-md:covers-end',
      'px-3 sm:px-4',
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
          <tr className="h-11 border-b border-line text-sm text-muted">
            {selection ? (
              <td className="covers-start w-0 pl-3 sm:pl-4">
                <AllRowsCheckbox keys={keys} selected={selection.selected} onChange={selection.onChange} />
              </td>
            ) : null}
            {columns.map((column, index) => (
              <th
                key={column.title}
                scope="col"
                aria-sort={column.sort?.order ?? undefined}
                className={cx(cellStyle(column, index), 'py-1 font-medium')}
              >
                {column.sort ? <SortButton {...column.sort}>{column.title}</SortButton> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr
              key={keys[line]}
              className={cx(
                'border-b border-line last:border-b-0',
                linked && 'relative hover:bg-hovered hover:[--color-row:var(--color-hovered)]',
              )}
            >
              {selection ? (
                <td className="covers-start relative z-1 w-0 pl-3 sm:pl-4">
                  <RowCheckbox
                    keys={keys}
                    own={keys[line] ?? ''}
                    name={selection.nameOf(row)}
                    lastRef={lastChanged}
                    selected={selection.selected}
                    onChange={selection.onChange}
                  />
                </td>
              ) : null}
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.title} scope="row" className={cx(cellStyle(column, index), 'py-3 font-medium')}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} className={cx(cellStyle(column, index), 'py-3')}>
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

/** Covers its row, so that a click anywhere in it follows the link. */
export const ROW_LINK = 'after:absolute after:inset-0 hover:underline underline-offset-2 focus-visible:after:outline-2';

function SortButton({ order, onSort, children }: NonNullable<Column<never>['sort']> & { children: string }) {
  return (
    <button
      type="button"
      onClick={onSort}
      className={cx('inline-flex min-h-8 items-center gap-1 hover:text-ink', order && 'text-ink')}
    >
      {children}
      {order ? <Icon name={order === 'ascending' ? 'up' : 'down'} className="size-3.5" /> : null}
    </button>
  );
}
