import type { AuditQueryVariables } from '../../generated/operations';

export interface AuditSearch {
  search?: string;
  by?: string;
  action?: string;
  /** A day in the browser's time zone, such as `2026-11-05`. */
  from?: string;
  to?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_LENGTH = 80;

export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const text = (name: string): string | null => {
    const value = raw[name];
    return typeof value === 'string' && value !== '' ? value.slice(0, MAX_LENGTH) : null;
  };
  const day = (name: string): string | null => {
    const value = text(name);
    return value !== null && startOf(value) !== null ? value : null;
  };
  const found = { search: text('search'), by: text('by'), action: text('action'), from: day('from'), to: day('to') };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
}

/** Returns null if the text is not a day. */
function startOf(day: string, daysLater = 0): string | null {
  if (!DAY.test(day)) return null;
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return null;
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}

/** Shared with the route loader, so that the prefetched query is reused. */
export const auditVariables = (workspaceId: string, { search, by, action, from, to }: AuditSearch) =>
  ({
    workspaceId,
    filter: {
      search: search ?? null,
      byId: by ?? null,
      action: action ?? null,
      from: from === undefined ? null : startOf(from),
      until: to === undefined ? null : startOf(to, 1),
    },
  }) satisfies AuditQueryVariables;
