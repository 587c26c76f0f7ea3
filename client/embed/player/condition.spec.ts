import { expect, it } from 'vitest';
import examples from '../../../server/waypost/domain/content/conditions.json';
import { deviceOf, evaluate, type Condition, type Facts, type TourTest } from './condition';
import { matchesTrait } from './trait-test';

const empty: Condition = { page: null, locale: null, device: null, trait: null, tour: null };

function conditionOf(stored: object): Condition {
  const [[field = '', value] = []] = Object.entries(stored);
  const group = field === 'all' || field === 'any' || field === 'none';
  return { ...empty, [field]: group ? (value as object[]).map(conditionOf) : value };
}

it.each(examples)('matches the server: $description', ({ when, page, expected, ...example }) => {
  const completed: readonly string[] = example.completed ?? [];
  const matchesProgress = ({ tourId, progress }: TourTest) =>
    progress === 'NEVER_STARTED' ? !completed.includes(tourId) : progress !== 'DISMISSED' && completed.includes(tourId);
  const traits = (example.traits ?? {}) as Record<string, string>;
  const segments = (example.segments ?? {}) as Record<string, object>;
  const testVisitor = ({ trait, verified, segment, tour }: Condition): boolean => {
    if (segment) return evaluate(conditionOf(segments[segment] ?? { any: [] }), facts);
    if (typeof verified === 'boolean') return verified === Boolean(example.verified);
    return trait ? matchesTrait(trait, traits) : Boolean(tour && matchesProgress(tour));
  };
  const facts = { path: '/', locale: 'en', device: 'DESKTOP', testVisitor, ...page } as Facts;
  expect(evaluate(conditionOf(when), facts)).toBe(expected);
});

it('distinguishes phones from tablets by their shorter side', () => {
  const device = (coarse: boolean, width: number, height: number) =>
    deviceOf({ matchMedia: () => ({ matches: coarse }), screen: { width, height } } as unknown as Window);
  expect(device(false, 400, 800)).toBe('DESKTOP');
  expect(device(true, 844, 390)).toBe('PHONE');
  expect(device(true, 820, 1180)).toBe('TABLET');
});
