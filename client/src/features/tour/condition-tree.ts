import type { Condition } from '../../../embed/player/condition';
import type { ConditionInput, SegmentConditionInput } from '../../generated/operations';
import { ConditionInputRules, StartRuleInputRules } from '../../generated/rules';
import { t } from '../../shared/i18n/en/steps';

export type ConditionKind = 'group' | 'page' | 'locale' | 'device' | 'trait' | 'verified' | 'segment' | 'tour';

/** `undefined` if there is no such object, or while it is loading. */
export interface ConditionNames {
  readonly tour: (id: string) => string | undefined;
  readonly segment: (id: string) => string | undefined;
}

/** The names in texts of conditions before they are loaded. */
export const noNames: ConditionNames = { tour: () => undefined, segment: () => undefined };

/** The schema counts a test as a level. */
export const MAX_DEPTH = StartRuleInputRules.fields.when.depth.max - 1;
export const MAX_TESTS = StartRuleInputRules.fields.when.depth.leaves;
export const MAX_IN_GROUP = ConditionInputRules.fields.all.count.max;

export type Group = 'all' | 'any' | 'none';
export const groups = ['all', 'any', 'none'] as const satisfies readonly Group[];

const emptyCondition = {
  all: null,
  any: null,
  none: null,
  page: null,
  locale: null,
  device: null,
  trait: null,
  verified: null,
  segment: null,
  tour: null,
} as const;

export function groupOf(condition: Condition): { readonly group: Group; readonly of: readonly Condition[] } | null {
  const group = groups.find(each => condition[each]);
  return group ? { group, of: condition[group] ?? [] } : null;
}

export function countTests(condition: Condition): number {
  const group = groupOf(condition);
  return group ? group.of.reduce((sum, each) => sum + countTests(each), 0) : 1;
}

export const newGroup = (group: Group, of: readonly Condition[]): Condition => ({ ...emptyCondition, [group]: of });

/** Sets the same fields at every depth, without the cache's `__typename`, so that conditions can be compared. */
export const plainCondition = ({ all, any, none, page, locale, device, trait, ...rest }: Condition): Condition => ({
  all: all?.map(plainCondition) ?? null,
  any: any?.map(plainCondition) ?? null,
  none: none?.map(plainCondition) ?? null,
  page,
  locale,
  device,
  trait: trait ? { key: trait.key, is: trait.is, value: trait.value } : null,
  verified: rest.verified ?? null,
  segment: rest.segment ?? null,
  tour: rest.tour ? { tourId: rest.tour.tourId, progress: rest.tour.progress } : null,
});

/** Returns null for other values than an object with one field. */
export function storedCondition(stored: unknown): Condition | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const [[field = '', value] = []] = Object.entries(stored);
  if (!(field in emptyCondition)) return null;
  const of = Array.isArray(value) ? value.map(storedCondition).filter(each => each !== null) : value;
  return { ...emptyCondition, [field]: of };
}

export function conditionInput(condition: Condition): ConditionInput {
  const { page, locale, device, trait, verified, segment, tour } = condition;
  const { group, of } = groupOf(condition) ?? {};
  if (group === 'all') return { all: of?.map(conditionInput) ?? [] };
  if (group === 'any') return { any: of?.map(conditionInput) ?? [] };
  if (group === 'none') return { none: of?.map(conditionInput) ?? [] };
  if (locale !== null) return { locale };
  if (device !== null) return { device };
  if (trait) return { trait: { ...trait } };
  if (typeof verified === 'boolean') return { verified };
  if (typeof segment === 'string') return { segment };
  if (tour) return { tour: { ...tour } };
  return { page: page ?? '' };
}

/** Converts the condition of a segment, which has only tests that the server evaluates. */
export const segmentInput = (condition: Condition): SegmentConditionInput =>
  conditionInput(condition) as SegmentConditionInput;

export function kindOf(condition: Condition): ConditionKind {
  if (groupOf(condition)) return 'group';
  const { locale, device, trait, verified, segment, tour } = condition;
  if (locale !== null) return 'locale';
  if (device !== null) return 'device';
  if (trait) return 'trait';
  if (typeof verified === 'boolean') return 'verified';
  if (typeof segment === 'string') return 'segment';
  return tour ? 'tour' : 'page';
}

/** `inGroup` is the kind of the first condition of a group. */
export function newCondition(kind: ConditionKind, inGroup: ConditionKind = 'page'): Condition {
  switch (kind) {
    case 'group':
      return newGroup('any', [newCondition(inGroup)]);
    case 'page':
      return { ...emptyCondition, page: '/*' };
    case 'locale':
      return { ...emptyCondition, locale: 'en' };
    case 'device':
      return { ...emptyCondition, device: 'DESKTOP' };
    case 'trait':
      return { ...emptyCondition, trait: { key: 'plan', is: 'IS', value: 'pro' } };
    case 'verified':
      return { ...emptyCondition, verified: true };
    case 'segment':
      return { ...emptyCondition, segment: '' };
    case 'tour':
      return { ...emptyCondition, tour: { tourId: '', progress: 'COMPLETED' } };
    default:
      return kind satisfies never;
  }
}

export function formatCondition(condition: Condition, names: ConditionNames = noNames): string {
  const { phrases, ...texts } = t.condition;
  const { page, locale, device, trait, verified, segment, tour } = condition;
  const nested = groupOf(condition);
  if (nested) {
    const parts = nested.of.map(each => {
      const text = formatCondition(each, names);
      const group = groupOf(each);
      return group && group.group !== 'none' && group.of.length > 1 ? `(${text})` : text;
    });
    return phrases[nested.group](parts);
  }
  if (page !== null) return phrases.page(page);
  if (locale !== null) return phrases.locale(locale);
  if (device !== null) return phrases.device(texts.devices[device]);
  if (trait) return phrases.trait(trait.key, texts.comparisons[trait.is], hasValue(trait.is) ? trait.value : '');
  if (typeof verified === 'boolean') return texts.verifiedValues[verified ? 'yes' : 'no'];
  if (typeof segment === 'string') return phrases.segment(names.segment(segment) ?? phrases.unknownSegment);
  if (tour) return phrases.tour(names.tour(tour.tourId) ?? phrases.unknownTour, texts.progresses[tour.progress]);
  return '';
}

export const hasValue = (is: NonNullable<Condition['trait']>['is']): boolean => is !== 'EXISTS' && is !== 'MISSING';
