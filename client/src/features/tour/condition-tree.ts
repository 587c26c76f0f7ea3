/** Conversion from and to the API, tree access, and formatting. */

import type { ConditionInput } from '../../generated/operations';
import { ConditionInputRules, StartRuleInputRules } from '../../generated/rules';
import type { Condition } from '../../player/condition';
import { t } from '../../shared/i18n/en/steps';

export type ConditionKind = 'group' | 'page' | 'locale' | 'device' | 'property' | 'tour';

/** The schema counts a test as a level. */
export const MAX_DEPTH = StartRuleInputRules.fields.when.depth.max - 1;
/** In a tree. */
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
  property: null,
  tour: null,
} as const;

/** Null for a leaf. */
export function groupOf(condition: Condition): { readonly group: Group; readonly of: readonly Condition[] } | null {
  const group = groups.find(each => condition[each]);
  return group ? { group, of: condition[group] ?? [] } : null;
}

export function countTests(condition: Condition): number {
  const group = groupOf(condition);
  return group ? group.of.reduce((sum, each) => sum + countTests(each), 0) : 1;
}

export const newGroup = (group: Group, of: readonly Condition[]): Condition => ({ ...emptyCondition, [group]: of });

/** Strips the cache's `__typename` and sets the same fields at every depth, so that conditions can be compared. */
export const plainCondition = ({ all, any, none, page, locale, device, property, tour }: Condition): Condition => ({
  all: all?.map(plainCondition) ?? null,
  any: any?.map(plainCondition) ?? null,
  none: none?.map(plainCondition) ?? null,
  page,
  locale,
  device,
  property: property ? { key: property.key, is: property.is, value: property.value } : null,
  tour: tour ? { tourId: tour.tourId, progress: tour.progress } : null,
});

export function conditionInput(condition: Condition): ConditionInput {
  const { page, locale, device, property, tour } = condition;
  const { group, of } = groupOf(condition) ?? {};
  if (group === 'all') return { all: of?.map(conditionInput) ?? [] };
  if (group === 'any') return { any: of?.map(conditionInput) ?? [] };
  if (group === 'none') return { none: of?.map(conditionInput) ?? [] };
  if (locale !== null) return { locale };
  if (device !== null) return { device };
  if (property) return { property: { ...property } };
  if (tour) return { tour: { ...tour } };
  return { page: page ?? '' };
}

export function kindOf(condition: Condition): ConditionKind {
  if (groupOf(condition)) return 'group';
  const { locale, device, property, tour } = condition;
  if (locale !== null) return 'locale';
  if (device !== null) return 'device';
  if (property) return 'property';
  return tour ? 'tour' : 'page';
}

/** Returns a condition of the given kind with example values. */
export function newCondition(kind: ConditionKind): Condition {
  switch (kind) {
    case 'group':
      return newGroup('any', [newCondition('page')]);
    case 'page':
      return { ...emptyCondition, page: '/*' };
    case 'locale':
      return { ...emptyCondition, locale: 'en' };
    case 'device':
      return { ...emptyCondition, device: 'DESKTOP' };
    case 'property':
      return { ...emptyCondition, property: { key: 'plan', is: 'IS', value: 'pro' } };
    case 'tour':
      return { ...emptyCondition, tour: { tourId: '', progress: 'COMPLETED' } };
    default:
      return kind satisfies never;
  }
}

/** `tourName` returns titles. */
export function formatCondition(condition: Condition, tourName: (id: string) => string | undefined): string {
  const { phrases, ...texts } = t.condition;
  const { page, locale, device, property, tour } = condition;
  const nested = groupOf(condition);
  if (nested) {
    const parts = nested.of.map(each => {
      const text = formatCondition(each, tourName);
      const group = groupOf(each);
      return group && group.group !== 'none' && group.of.length > 1 ? `(${text})` : text;
    });
    return phrases[nested.group](parts);
  }
  if (page !== null) return phrases.page(page);
  if (locale !== null) return phrases.locale(locale);
  if (device !== null) return phrases.device(texts.devices[device]);
  if (property)
    return phrases.property(property.key, texts.comparisons[property.is], hasValue(property.is) ? property.value : '');
  if (tour) return phrases.tour(tourName(tour.tourId) ?? phrases.unknownTour, texts.progresses[tour.progress]);
  return '';
}

export const hasValue = (is: NonNullable<Condition['property']>['is']): boolean => is !== 'EXISTS' && is !== 'MISSING';
