import { expect, it } from 'vitest';
import { auditVariables, readAuditSearch } from './audit-filter';

it('keeps only valid parameters of the URL', () => {
  expect(
    readAuditSearch({ search: 'shop', by: 'a', action: 'tour.release', from: '2026-11-05', to: '2026-11-06' }),
  ).toEqual({
    search: 'shop',
    by: 'a',
    action: 'tour.release',
    from: '2026-11-05',
    to: '2026-11-06',
  });
  expect(readAuditSearch({ search: '', by: 7, from: 'yesterday', to: '2026-13-40' })).toEqual({});
});

it('includes the whole last day', () => {
  const { filter } = auditVariables('w', { from: '2026-11-05', to: '2026-11-05' });
  const [from, until] = [Date.parse(filter.from ?? ''), Date.parse(filter.until ?? '')];
  expect(until - from).toBe(24 * 60 * 60 * 1000);
  expect(auditVariables('w', {}).filter).toEqual({ search: null, byId: null, action: null, from: null, until: null });
});
