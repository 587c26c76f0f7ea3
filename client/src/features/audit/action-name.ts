import { t } from '../../shared/i18n/en/audit';
import { t as common } from '../../shared/i18n/en/common';

/** Returns the name of an `@audited` action of the schema: `tour.release` becomes "released the tour". */
export function actionName(action: string): string {
  const [noun = '', ...rest] = action.split('.');
  const verb = rest.at(-1) ?? '';
  return isIn(t.verbs, verb) && isIn(t.nouns, noun) ? t.verbs[verb](t.nouns[noun]) : action;
}

/** Returns the name of a field. Unknown fields, from entries of other versions, are returned unchanged. */
export const fieldName = (field: string): string => (isIn(t.fields, field) ? t.fields[field] : field);

export function valueName(field: string, value: string | null): string {
  if (value === null) return '–';
  if (field === 'role') return isIn(common.roles.names, value) ? common.roles.names[value] : value;
  return value === 'none' && isIn(t.none, field) ? t.none[field] : value;
}

const isIn = <Words extends object>(words: Words, key: PropertyKey): key is keyof Words => Object.hasOwn(words, key);
