import { expect, it } from 'vitest';
import { auditCsv } from './export-csv';

it('has a row for each entry, with its sentence and all changes', () => {
  const entries = [
    {
      id: 'e1',
      at: '2026-11-05T09:30:00.000Z',
      action: 'release.pause',
      subject: 'First order',
      by: { id: 'a1', name: '=Ada' },
      changes: [
        { field: 'site', before: null, after: 'Shop' },
        { field: 'holdoutPercent', before: '20', after: '0' },
        { field: 'when', before: null, after: '{"tour":{"tourId":"t1","progress":"COMPLETED"}}' },
      ],
    },
  ];
  const csv = auditCsv(entries, { tour: id => (id === 't1' ? 'Welcome' : undefined), segment: () => undefined });
  expect(csv.split('\r\n')).toEqual([
    '\uFEFFat,account_id,account,action,subject,text,changes',
    `2026-11-05T09:30:00.000Z,a1,'=Ada,release.pause,First order,'=Ada paused “First order” on Shop,Site: Shop; Holdout: 20% → 0%; Condition: “Welcome” is completed`,
    '',
  ]);
});
