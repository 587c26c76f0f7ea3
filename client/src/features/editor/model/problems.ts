import type { Bounds, Violation } from '../../../generated/traitql';
import { localizeMessage } from '../../../shared/api/app-error';
import { t } from '../../../shared/i18n/en/editor';
import { t as errors } from '../../../shared/i18n/en/errors';
import { t as fields } from '../../../shared/i18n/en/fields';
import { sameValue, type Problem, type Start, type Step } from '../../tour/draft';
import { stepName } from '../../tour/format-field';
import { translatedTexts, translationFieldName } from '../../tour/translations';

export type ProblemLocation =
  | { readonly kind: 'step'; readonly key: string; readonly field?: string }
  | { readonly kind: 'rules'; readonly field?: string }
  | { readonly kind: 'languages'; readonly locale: string; readonly field?: string }
  | { readonly kind: 'list' };

export interface ProblemEntry {
  readonly id: string;
  readonly severity: Problem['severity'];
  readonly text: string;
  readonly location: ProblemLocation;
}

const fieldOf: Partial<Record<Problem['code'], string>> = {
  TARGET_REQUIRED: 'target',
  TARGET_SELECTOR_INVALID: 'target',
  ELEMENT_MISSING: 'target',
  ADVANCE_SELECTOR_INVALID: 'advance',
  ADVANCE_INCOMPLETE: 'advance',
  ADVANCE_IMPOSSIBLE: 'advance',
  WAIT_WITHOUT_RULE: 'advance',
  BRANCH_UNKNOWN_STEP: 'branches',
  PAGE_MISSING: 'page',
  LONG_BODY: 'body',
  BROKEN_LINK: 'body',
  BROKEN_IMAGE: 'body',
  DUPLICATE_STEP_KEY: 'key',
};

const startFieldOf: Partial<Record<Problem['code'], string>> = {
  START_EVENT_MISSING: 'event',
  EVERY_DAYS_MISSING: 'everyDays',
};

export interface LocalWarning {
  readonly step: Step;
  readonly kind: 'notFound' | 'imageFails';
}

/** Blockers before warnings. The server's problems are those of the saved version. */
export function problemEntries(
  steps: readonly Step[],
  problems: readonly Problem[],
  violations: readonly Violation[],
  localWarnings: readonly LocalWarning[] = [],
): readonly ProblemEntry[] {
  const fromServer = problems.map((each): ProblemEntry => ({
    id: `${each.code}-${each.stepKey ?? ''}-${each.locale ?? ''}`,
    severity: each.severity,
    text: localizeMessage(each.code, each.message),
    location: each.locale
      ? locationOfTranslation(steps, each, each.locale)
      : each.stepKey
        ? (locationOfUnreachable(steps, each) ?? { kind: 'step', key: each.stepKey, ...fieldIn(fieldOf[each.code]) })
        : each.code in startFieldOf
          ? { kind: 'rules', ...fieldIn(startFieldOf[each.code]) }
          : { kind: 'list' },
  }));
  const fromBrowser = localWarnings.map(({ step, kind }): ProblemEntry => ({
    id: `${kind}-${step.key}`,
    severity: 'WARNING',
    text: t.problems[kind](stepName(step)),
    location: { kind: 'step', key: step.key, field: kind === 'notFound' ? 'target' : 'body' },
  }));
  return [...violations.map(each => fromViolation(each, steps)), ...fromServer, ...fromBrowser].sort(
    (a, b) => Number(a.severity === 'WARNING') - Number(b.severity === 'WARNING'),
  );
}

/** All branches of the step before it skip an unreachable step. */
function locationOfUnreachable(steps: readonly Step[], { code, stepKey }: Problem): ProblemLocation | null {
  const before = code === 'UNREACHABLE_STEP' ? steps[steps.findIndex(({ key }) => key === stepKey) - 1] : undefined;
  return before && before.branches.length > 0 ? { kind: 'step', key: before.key, field: 'branches' } : null;
}

function locationOfTranslation(steps: readonly Step[], { code }: Problem, locale: string): ProblemLocation {
  const state = code === 'TRANSLATIONS_OUTDATED' ? 'outdated' : 'missing';
  const index = translatedTexts(steps, locale).findIndex(each => each.state === state);
  return { kind: 'languages', locale, field: index < 0 ? 'locale' : translationFieldName(index) };
}

/** Ignores a field that was changed since, because it may be fixed already. */
export function problemAt(
  problems: readonly Problem[],
  saved: Step | undefined,
  step: Step,
  field: string,
): string | undefined {
  if (!saved || !isIn(fields.step, field) || !sameValue(saved[field], step[field])) return undefined;
  const found = problems.find(
    each => each.severity === 'BLOCKER' && each.stepKey === step.key && fieldOf[each.code] === field,
  );
  return found && localizeMessage(found.code, found.message);
}

/** Ignores a field that was changed since. */
export const startProblemAt = (
  problems: readonly Problem[],
  saved: Start,
  start: Start,
  field: keyof Start,
): string | undefined => {
  if (!sameValue(saved[field], start[field])) return undefined;
  const found = problems.find(each => startFieldOf[each.code] === field);
  return found && localizeMessage(found.code, found.message);
};

function fromViolation(violation: Violation, steps: readonly Step[]): ProblemEntry {
  const { path, rule } = violation;
  const [root, second, third] = path.split('.');
  const text = formatViolation(violation);
  const step = root === 'steps' ? steps[Number(second)] : undefined;
  const entry = (text: string, location: ProblemLocation): ProblemEntry => ({
    id: `${path}-${rule}`,
    severity: 'BLOCKER',
    text: t.problems.notSaved(text),
    location,
  });
  if (step) {
    const name = third && isIn(fields.step, third) ? fields.step[third] : t.problems.step;
    return entry(t.problems.ofStep(name, stepName(step), text), {
      kind: 'step',
      key: step.key,
      ...fieldIn(third),
    });
  }
  if (root === 'start') {
    const name = second && isIn(fields.start, second) ? fields.start[second] : t.problems.start;
    return entry(t.problems.ofStart(name, text), { kind: 'rules', ...fieldIn(second) });
  }
  const what = root === 'steps' ? t.problems.steps : (root ?? t.problems.tour);
  return entry(`${what} ${text}`, { kind: 'list' });
}

/** Returns the message of a violation, with durations in seconds, the unit of the editor. */
export function formatViolation(violation: Violation): string {
  const { min, max }: Bounds = violation.rule === 'range' ? violation.params : {};
  return /\.(waitMs|delayMs)$/.test(violation.path) && min !== undefined && max !== undefined
    ? t.problems.seconds(min / 1000, max / 1000)
    : errors.problem(violation);
}

/** Returns no or one name, as the inspector shows it. */
export function fieldNames(location: ProblemLocation): string[] {
  if (location.kind === 'step')
    return location.field && isIn(fields.step, location.field) ? [fields.step[location.field]] : [];
  if (location.kind === 'rules')
    return location.field && isIn(fields.start, location.field) ? [fields.start[location.field]] : [];
  return location.kind === 'languages' ? [t.languages.title] : [];
}

const isIn = <Name extends string>(names: Readonly<Record<Name, string>>, name: string): name is Name => name in names;

const fieldIn = (field: string | undefined): { field?: string } => (field === undefined ? {} : { field });
