import type { TraitTest } from './condition';

/** Agrees with server/waypost/domain/src/visitor/traits.rs. */
export function matchesTrait({ key, is, value }: TraitTest, properties: Readonly<Record<string, string>>): boolean {
  const actual = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (actual === undefined) return is === 'MISSING';
  switch (is) {
    case 'IS':
      return actual === value;
    case 'IS_NOT':
      return actual !== value;
    case 'CONTAINS':
      return actual.includes(value);
    case 'STARTS_WITH':
      return actual.startsWith(value);
    case 'GREATER':
      return toNumber(actual) > toNumber(value);
    case 'LESS':
      return toNumber(actual) < toNumber(value);
    case 'EXISTS':
      return true;
    case 'MISSING':
      return false;
    default:
      return is satisfies never;
  }
}

/** Returns NaN, which is neither greater nor less than any number, for other texts. */
const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
