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
