import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen } from '../testing';
import { Table } from './Table';

it('sorts by a column title, and announces the order', () => {
  const onSort = vi.fn<() => void>();
  render(
    <Table
      caption="Tours"
      rows={['a']}
      rowKey={row => row}
      columns={[
        { title: 'Title', sort: { order: null, onSort: vi.fn<() => void>() }, cell: row => row },
        { title: 'Runs', sort: { order: 'descending', onSort }, cell: () => 1 },
        { title: 'Site', cell: () => 'Shop' },
      ]}
    />,
  );
  const orders = screen.getAllByRole('columnheader').map(header => header.getAttribute('aria-sort'));
  expect(orders).toEqual([null, 'descending', null]);
  fireEvent.click(screen.getByRole('button', { name: 'Runs' }));
  expect(onSort).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: 'Site' })).toBeNull();
});

function Selectable() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selection = { selected, nameOf: (row: string) => row.toUpperCase(), onChange: setSelected };
  const columns = [{ title: 'Title', cell: (row: string) => row }];
  return (
    <Table caption="Tours" rows={['a', 'b', 'c', 'd']} rowKey={row => row} selection={selection} columns={columns} />
  );
}

it('selects rows, ranges of rows with Shift, and all rows', () => {
  render(<Selectable />);
  const [all, ...rows] = screen.getAllByRole<HTMLInputElement>('checkbox') as [HTMLInputElement, ...HTMLInputElement[]];
  const selected = () => rows.flatMap(row => (row.checked ? (row.getAttribute('aria-label') ?? '') : []));
  const click = (name: string, shiftKey = false) =>
    fireEvent.click(screen.getByRole('checkbox', { name }), { shiftKey });
  click('Select B');
  expect(selected()).toEqual(['Select B']);
  expect(all.indeterminate).toBe(true);
  click('Select D', true);
  expect(selected()).toEqual(['Select B', 'Select C', 'Select D']);
  click('Select C', true);
  expect(selected()).toEqual(['Select B']);
  fireEvent.click(all);
  expect(selected()).toHaveLength(4);
  expect(all.indeterminate).toBe(false);
  fireEvent.click(all);
  expect(selected()).toEqual([]);
});
