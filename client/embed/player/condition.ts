// Evaluates conditions in the page. The server resolves tests of visitors and of other tours before
// (server/waypost/domain/src/condition). Both run the examples in server/waypost/domain/content/conditions.json.

import { matchesPath } from './path-pattern';

export type Device = 'DESKTOP' | 'TABLET' | 'PHONE';

export interface TraitTest {
  key: string;
  is: 'IS' | 'IS_NOT' | 'CONTAINS' | 'STARTS_WITH' | 'GREATER' | 'LESS' | 'EXISTS' | 'MISSING';
  value: string;
}

export interface TourTest {
  tourId: string;
  progress: 'NEVER_STARTED' | 'STARTED' | 'COMPLETED' | 'DISMISSED';
}

/** Exactly one field is set. The deepest have no groups. */
export interface Condition {
  all?: readonly Condition[] | null;
  any?: readonly Condition[] | null;
  none?: readonly Condition[] | null;
  page: string | null;
  locale: string | null;
  device: Device | null;
  trait?: TraitTest | null;
  verified?: boolean | null;
  segment?: string | null;
  tour?: TourTest | null;
}

export interface Facts {
  path: string;
  /** BCP 47. */
  locale: string;
  device: Device;
  /** Evaluates tests of visitors and of other tours. Missing in pages, for which the server evaluates these tests. */
  testVisitor?: ((test: Condition) => boolean) | undefined;
}

export function evaluate(condition: Condition, facts: Facts): boolean {
  const { all, any, none } = condition;
  if (all) return all.every(each => evaluate(each, facts));
  if (any) return any.some(each => evaluate(each, facts));
  if (none) return !none.some(each => evaluate(each, facts));
  return passes(condition, facts);
}

function passes(condition: Condition, facts: Facts): boolean {
  const { page, locale, device } = condition;
  if (page !== null) return matchesPath(page, facts.path);
  if (locale !== null) return matchesLanguage(facts.locale, locale);
  if (device !== null) return facts.device === device;
  return Boolean(facts.testVisitor?.(condition));
}

/** `de` also matches `de-AT`. */
const matchesLanguage = (tag: string, range: string) => `${tag}-`.toLowerCase().startsWith(`${range}-`.toLowerCase());

/** Treats a touch screen as a phone or a tablet by its size, everything else as a desktop. */
export function deviceOf({ matchMedia, screen }: Pick<Window, 'matchMedia' | 'screen'> = window): Device {
  if (!matchMedia('(pointer: coarse)').matches) return 'DESKTOP';
  return Math.min(screen.width, screen.height) < 600 ? 'PHONE' : 'TABLET';
}
