// What must be so for a tour to begin or a branch to be taken, decided by what the page knows. The server decides what
// depends on other tours before the page hears of it (server/waypost-domain/src/condition); one table of examples,
// server/waypost-domain/content/conditions.json, holds both to the same answers.

import { matchesPath } from './path';

export type Device = 'DESKTOP' | 'TABLET' | 'PHONE';

export interface PropertyTest {
  key: string;
  is: 'IS' | 'IS_NOT' | 'CONTAINS' | 'STARTS_WITH' | 'GREATER' | 'LESS' | 'EXISTS' | 'MISSING';
  value: string;
}

export interface TourTest {
  tourId: string;
  progress: 'NEVER_STARTED' | 'STARTED' | 'COMPLETED' | 'DISMISSED';
}

/** A group of conditions, or one test: exactly one of the fields says something. The innermost have no groups and no objects. */
export interface Condition {
  all?: readonly Condition[] | null;
  any?: readonly Condition[] | null;
  none?: readonly Condition[] | null;
  page: string | null;
  locale: string | null;
  device: Device | null;
  property?: PropertyTest | null;
  tour?: TourTest | null;
}

/** What a page knows of itself and of who looks at it. */
export interface Facts {
  path: string;
  /** A BCP 47 language tag. */
  locale: string;
  device: Device;
  /** What the page says of the person. */
  properties: Readonly<Record<string, string>>;
  /** How far the person came with other tours, where it is known. */
  came?: (test: TourTest) => boolean;
}

export function holds(condition: Condition, facts: Facts): boolean {
  const { all, any, none } = condition;
  if (all) return all.every(each => holds(each, facts));
  if (any) return any.some(each => holds(each, facts));
  if (none) return !none.some(each => holds(each, facts));
  return passes(condition, facts);
}

function passes({ page, locale, device, property, tour }: Condition, facts: Facts): boolean {
  if (page !== null) return matchesPath(page, facts.path);
  if (locale !== null) return isOfLanguage(facts.locale, locale);
  if (device !== null) return facts.device === device;
  if (property) return compares(property, facts.properties);
  return Boolean(tour && facts.came?.(tour));
}

/** Basic filtering of language tags (RFC 4647, section 3.3.1). */
function isOfLanguage(tag: string, range: string): boolean {
  const [lower, wanted] = [tag.toLowerCase(), range.toLowerCase()];
  return lower === wanted || lower.startsWith(`${wanted}-`);
}

function compares({ key, is, value }: PropertyTest, properties: Facts['properties']): boolean {
  const said = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (said === undefined) return is === 'MISSING';
  switch (is) {
    case 'IS':
      return said === value;
    case 'IS_NOT':
      return said !== value;
    case 'CONTAINS':
      return said.includes(value);
    case 'STARTS_WITH':
      return said.startsWith(value);
    case 'GREATER':
      return numberOf(said) > numberOf(value);
    case 'LESS':
      return numberOf(said) < numberOf(value);
    case 'EXISTS':
      return true;
    case 'MISSING':
      return false;
    default:
      return is satisfies never;
  }
}

/** NaN, which is neither greater nor less than anything, for what is no number. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** What the page is looked at with: a finger on a small screen, a finger on a larger one, or something else. */
export function deviceOf({ matchMedia, screen }: Pick<Window, 'matchMedia' | 'screen'> = window): Device {
  if (!matchMedia('(pointer: coarse)').matches) return 'DESKTOP';
  return Math.min(screen.width, screen.height) < 600 ? 'PHONE' : 'TABLET';
}
