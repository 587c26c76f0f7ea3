import { expect, it } from 'vitest';
import { auditCsv } from './export-csv';

it('has a row for each entry, with its sentence and all changes', () => {
  const csv = auditCsv([
    {
      id: 'e1',
      at: '2026-11-05T09:30:00.000Z',
      action: 'release.pause',
      subject: 'First order',
      by: { id: 'a1', name: '=Ada' },
      changes: [
        { field: 'site', before: null, after: 'Shop' },
        { field: 'state', before: 'LIVE', after: 'PAUSED' },
      ],
    },
  ]);
  expect(csv.split('\r\n')).toEqual([
    '\uFEFFat,account_id,account,action,subject,text,changes',
    `2026-11-05T09:30:00.000Z,a1,'=Ada,release.pause,First order,'=Ada paused “First order” on Shop,site:  > Shop; state: LIVE > PAUSED`,
    '',
  ]);
});
