import { t } from '../texts/audit';
/** What somebody did, as a verb: `tour.release` becomes "released the tour". The actions are the schema's `@audited`. */
export function actionName(action: string): string {
  const [noun = '', ...rest] = action.split('.');
  const verb = rest.at(-1) ?? '';
  return isIn(t.verbs, verb) && isIn(t.nouns, noun) ? t.verbs[verb](t.nouns[noun]) : action;
}

const isIn = <Words extends object>(words: Words, key: PropertyKey): key is keyof Words => Object.hasOwn(words, key);
