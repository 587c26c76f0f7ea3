/** What is wrong with a draft, in one list: what keeps it from being saved, from being released, and what is advice. */
import type { Violation } from '../../generated/traitql';
import { localizeMessage } from '../../shared/api/app-error';
import { t } from '../../shared/i18n/en/editor';
import { t as errors } from '../../shared/i18n/en/errors';
import { t as fields } from '../../shared/i18n/en/fields';
import { sameValue, type Problem, type Start, type Step } from '../tour/draft';
import { stepName } from '../tour/format-field';

/** Where to go to solve a problem. */
export type ProblemPlace =
  | { readonly kind: 'step'; readonly key: string; readonly field?: string }
  | { readonly kind: 'rules'; readonly field?: string }
  | { readonly kind: 'list' };

export interface ProblemEntry {
  readonly id: string;
  readonly severity: Problem['severity'];
  readonly text: string;
  readonly place: ProblemPlace;
}

/** The field that a problem of the catalogue is about. */
const fieldOf: Partial<Record<Problem['code'], string>> = {
  TARGET_REQUIRED: 'target',
  ADVANCE_INCOMPLETE: 'advance',
  ADVANCE_IMPOSSIBLE: 'advance',
  WAIT_WITHOUT_RULE: 'advance',
  BRANCH_UNKNOWN_STEP: 'branches',
  PAGE_UNSAID: 'page',
  LONG_BODY: 'body',
  BROKEN_LINK: 'body',
  BROKEN_IMAGE: 'body',
  DUPLICATE_STEP_KEY: 'key',
};

const startFieldOf: Partial<Record<Problem['code'], string>> = {
  START_EVENT_MISSING: 'event',
  EVERY_DAYS_MISSING: 'everyDays',
};

/** What only this browser knows: the last preview did not find an element, or an image does not load. */
export interface Noticed {
  readonly step: Step;
  readonly what: 'notFound' | 'imageFails';
}

/**
 * Blockers first, each in the order of the steps. What is not saved yet was not seen by the server either. Last comes what
 * this browser noticed.
 */
export function problemEntries(
  steps: readonly Step[],
  problems: readonly Problem[],
  violations: readonly Violation[],
  noticed: readonly Noticed[] = [],
): readonly ProblemEntry[] {
  const known = problems.map((each): ProblemEntry => ({
    id: `${each.code}-${each.stepKey ?? ''}`,
    severity: each.severity,
    text: localizeMessage(each.code, each.message),
    place: each.stepKey
      ? (wayTo(steps, each) ?? { kind: 'step', key: each.stepKey, ...fieldIn(fieldOf[each.code]) })
      : each.code in startFieldOf
        ? { kind: 'rules', ...fieldIn(startFieldOf[each.code]) }
        : { kind: 'list' },
  }));
  const seen = noticed.map(({ step, what }): ProblemEntry => ({
    id: `${what}-${step.key}`,
    severity: 'WARNING',
    text: t.problems[what](stepName(step)),
    place: { kind: 'step', key: step.key, field: what === 'notFound' ? 'target' : 'body' },
  }));
  return [...violations.map(each => fromViolation(each, steps)), ...known, ...seen].sort(
    (a, b) => Number(a.severity === 'WARNING') - Number(b.severity === 'WARNING'),
  );
}

/** Where to lead on to a step that nothing leads to: the branches of the step before it, which all lead past it. */
function wayTo(steps: readonly Step[], { code, stepKey }: Problem): ProblemPlace | null {
  const before = code === 'UNREACHABLE_STEP' ? steps[steps.findIndex(({ key }) => key === stepKey) - 1] : undefined;
  return before && before.branches.length > 0 ? { kind: 'step', key: before.key, field: 'branches' } : null;
}

/** What the server found wrong with one field of a step, unless the field was changed since: it may be solved already. */
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

/** The same for a field of the start rule. */
export const problemOfStart = (
  problems: readonly Problem[],
  saved: Start,
  start: Start,
  field: keyof Start,
): string | undefined => {
  if (!sameValue(saved[field], start[field])) return undefined;
  const found = problems.find(each => startFieldOf[each.code] === field);
  return found && localizeMessage(found.code, found.message);
};

function fromViolation({ path, problem, rule }: Violation, steps: readonly Step[]): ProblemEntry {
  const [root, second, third] = path.split('.');
  const words = said(path.split('.').at(-1), problem);
  const step = root === 'steps' ? steps[Number(second)] : undefined;
  const entry = (text: string, place: ProblemPlace): ProblemEntry => ({
    id: `${path}-${rule}`,
    severity: 'BLOCKER',
    text: t.problems.notSaved(text),
    place,
  });
  if (step) {
    const name = third && isIn(fields.step, third) ? fields.step[third] : t.problems.step;
    return entry(t.problems.ofStep(name, stepName(step), words), {
      kind: 'step',
      key: step.key,
      ...fieldIn(third),
    });
  }
  if (root === 'start') {
    const name = second && isIn(fields.start, second) ? fields.start[second] : t.problems.start;
    return entry(t.problems.ofStart(name, words), { kind: 'rules', ...fieldIn(second) });
  }
  const what = root === 'steps' ? t.problems.steps : (root ?? t.problems.tour);
  return entry(`${what} ${said(undefined, problem)}`, { kind: 'list' });
}

const said = (field: string | undefined, problem: string): string => errors.problem(inUnits(field, problem));

/** The words of a rule in the unit of its field: the schema counts times in milliseconds, people see seconds. */
export function inUnits(field: string | undefined, problem: string): string {
  if (field !== 'waitMs' && field !== 'delayMs') return problem;
  const words = problem.replaceAll(/-?\d+/g, number => String(Number(number) / 1000));
  return words === problem ? problem : `${words} seconds`;
}

const isIn = <Name extends string>(names: Readonly<Record<Name, string>>, name: string): name is Name => name in names;

const fieldIn = (field: string | undefined): { field?: string } => (field === undefined ? {} : { field });
