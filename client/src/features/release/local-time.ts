/** Instants as the browser's own field for a date and a time shows them: in the person's time zone, to the minute. */

const two = (number: number) => String(number).padStart(2, '0');

/** `2026-11-05T10:30` for an instant; empty for none. */
export function toLocalInput(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The instant that a field shows; null while it shows none. */
export function fromLocalInput(value: string): string | null {
  const at = new Date(value);
  return value === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}
