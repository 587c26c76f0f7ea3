import { t } from '../../shared/i18n/en/editor';

/** Returns the error of a selector that this browser rejects, before the server has checked it. */
export function selectorProblem(value: string): string | undefined {
  if (value === '') return undefined;
  try {
    document.createDocumentFragment().querySelector(value);
    return undefined;
  } catch {
    return t.step.badSelector;
  }
}
