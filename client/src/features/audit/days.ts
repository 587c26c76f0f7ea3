/** The order of the audit log: by day, with runs of equal actions together. */
import type { Entry } from './entry-text';

export interface Day {
  /** `2026-11-05`, in the time zone of the browser. */
  readonly day: string;
  /** Entries of one line: a single one, or many of the same account with the same action in a row. */
  readonly lines: readonly (readonly Entry[])[];
}

/** Fewer entries are shown one by one. */
const MIN_TOGETHER = 4;

export function daysOf(entries: readonly Entry[]): readonly Day[] {
  const days: { day: string; lines: Entry[][] }[] = [];
  for (const entry of entries) {
    const day = localDay(entry.at);
    let current = days.at(-1);
    if (current?.day !== day) days.push((current = { day, lines: [] }));
    const line = current.lines.at(-1);
    const [first] = line ?? [];
    if (line && first?.by.id === entry.by.id && first.action === entry.action) line.push(entry);
    else current.lines.push([entry]);
  }
  return days.map(({ day, lines }) => ({
    day,
    lines: lines.flatMap(line => (line.length < MIN_TOGETHER ? line.map(each => [each]) : [line])),
  }));
}

function localDay(iso: string): string {
  const date = new Date(iso);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-');
}
