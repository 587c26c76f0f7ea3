import { t } from '../../../shared/i18n/en/editor';

export function selectorProblem(value: string): string | undefined {
  if (value === '') return undefined;
  try {
    document.createDocumentFragment().querySelector(value);
    return undefined;
  } catch {
    return t.step.badSelector;
  }
}
