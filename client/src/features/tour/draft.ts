import type { Condition } from '../../../embed/player/condition';
import { traitsOf } from '../../../embed/player/step-kinds';
import type { PlayBranch, PlayTranslation } from '../../../embed/player/types';
import type {
  StepInput,
  TourDraft_RevisionFragment,
  TourSaveInput,
  TourStart_StartRuleFragment,
  TourStep_StepFragment,
} from '../../generated/operations';
import { AdvanceInputRules, StartRuleInputRules, StepInputRules, TourSaveInputRules } from '../../generated/rules';
import { checkInput, type Violation } from '../../generated/traitql';
import { t } from '../../shared/i18n/en/editor';
import { conditionInput, plainCondition } from './condition-tree';

export type Step = Omit<TourStep_StepFragment, '__typename' | 'branches' | 'translations'> & {
  readonly branches: readonly PlayBranch[];
  readonly translations: readonly PlayTranslation[];
};
export type Start = Omit<TourStart_StartRuleFragment, '__typename' | 'when'> & { readonly when: Condition | null };
export type Problem = TourDraft_RevisionFragment['problems'][number];

export interface DraftContent {
  readonly steps: readonly Step[];
  readonly start: Start;
  /** Default theme. */
  readonly themeId: string | null;
  /** The first one is the language of the steps. */
  readonly locales: readonly string[];
}

export interface SavedDraft {
  readonly content: DraftContent;
  readonly version: number;
  /** Null for the current account, for example in another tab. */
  readonly author: string | null;
  readonly problems: readonly Problem[];
}

export const MAX_STEPS = TourSaveInputRules.fields.steps.count.max;

export type FetchedContent = Pick<TourDraft_RevisionFragment, 'steps' | 'start' | 'theme' | 'locales'>;

export const contentOf = ({ steps, start, theme, locales }: FetchedContent): DraftContent => ({
  steps: steps.map(plainStep),
  start: plainStart(start),
  themeId: theme?.id ?? null,
  locales,
});

/** Null if the content is not edited. */
export function savedDraftOf(revision: TourDraft_RevisionFragment, accountId: string | null = null): SavedDraft {
  return {
    content: contentOf(revision),
    version: revision.version,
    author: revision.author.id === accountId ? null : revision.author.name,
    problems: revision.problems,
  };
}

/** The cache's `__typename` would prevent comparing, and sending as input. */
const plainStep = (step: Step): Step => ({
  key: step.key,
  kind: step.kind,
  title: step.title,
  body: step.body,
  target: step.target && { by: step.target.by, value: step.target.value },
  side: step.side,
  nextLabel: step.nextLabel,
  previousLabel: step.previousLabel,
  doneLabel: step.doneLabel,
  missingTarget: step.missingTarget,
  waitMs: step.waitMs,
  page: step.page,
  advance: {
    on: step.advance.on,
    page: step.advance.page,
    selector: step.advance.selector,
    event: step.advance.event,
    delayMs: step.advance.delayMs,
  },
  branches: step.branches.map(({ to, label, when }) => ({ to, label, when: when && plainCondition(when) })),
  blockPage: step.blockPage,
  closeOnOutsideClick: step.closeOnOutsideClick,
  translations: step.translations.map(({ locale, field, source, text }) => ({ locale, field, source, text })),
});

const plainStart = (start: Start): Start => ({
  trigger: start.trigger,
  event: start.event,
  frequency: start.frequency,
  everyDays: start.everyDays,
  page: start.page,
  when: start.when && plainCondition(start.when),
  delayMs: start.delayMs,
  priority: start.priority,
  ignoreCooldown: start.ignoreCooldown,
});

export function saveInput(tourId: string, expectedVersion: number, content: DraftContent): TourSaveInput {
  return {
    id: tourId,
    expectedVersion,
    steps: content.steps.map((step): StepInput => ({
      ...step,
      translations: [...step.translations],
      branches: step.branches.map(branch => ({ ...branch, when: branch.when && conditionInput(branch.when) })),
    })),
    start: { ...content.start, when: content.start.when && conditionInput(content.start.when) },
    themeId: content.themeId,
    locales: [...content.locales],
  };
}

export function checkContent(content: DraftContent): Violation[] {
  const found = checkInput(TourSaveInputRules, saveInput('-', 0, content));
  const keys = new Set<string>();
  for (const [index, { key }] of content.steps.entries()) {
    if (keys.has(key)) found.push({ path: `steps.${index}.key`, problem: t.draft.keyUsed, rule: 'unique', params: {} });
    keys.add(key);
  }
  return found;
}

export const sameContent = (a: DraftContent, b: DraftContent): boolean =>
  a.themeId === b.themeId &&
  sameValue(a.locales, b.locales) &&
  sameStart(a.start, b.start) &&
  a.steps.length === b.steps.length &&
  a.steps.every((step, index) => sameStep(step, b.steps[index]));

const sameStart = (a: Start, b: Start): boolean =>
  a === b || JSON.stringify(plainStart(a)) === JSON.stringify(plainStart(b));

/** Deep equality of plain data. Compares JSON, so keys must be in the order in which this module writes them. */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

export function needsTarget(step: Pick<Step, 'kind' | 'advance'>): boolean {
  const { target = false, waits } = traitsOf(step);
  return waits ? step.advance.on === 'TARGET_CLICK' : target;
}

/** "Button" never fires, because a wait shows none. */
export const isWaitWithoutRule = (step: Pick<Step, 'kind' | 'advance'>): boolean =>
  Boolean(traitsOf(step).waits) && step.advance.on === 'BUTTON';

export function sameStep(a: Step, b: Step | undefined): boolean {
  if (a === b) return true;
  return b !== undefined && JSON.stringify(plainStep(a)) === JSON.stringify(plainStep(b));
}

const { fields: stepRules } = StepInputRules;
const { fields: advanceRules } = AdvanceInputRules;
const { fields: startRules } = StartRuleInputRules;

export const defaultStep = {
  page: null,
  advance: {
    on: advanceRules.on.default,
    page: null,
    selector: null,
    event: null,
    delayMs: advanceRules.delayMs.default,
  },
  branches: stepRules.branches.default,
  blockPage: stepRules.blockPage.default,
  closeOnOutsideClick: stepRules.closeOnOutsideClick.default,
  translations: stepRules.translations.default,
} as const satisfies Partial<Step>;

export const defaultStart: Start = {
  trigger: startRules.trigger.default,
  event: null,
  frequency: startRules.frequency.default,
  everyDays: null,
  page: null,
  when: null,
  delayMs: startRules.delayMs.default,
  priority: startRules.priority.default,
  ignoreCooldown: startRules.ignoreCooldown.default,
};

export function newStep(steps: readonly Step[]): Step {
  return {
    key: unusedKey(`step_${steps.length + 1}`, steps),
    kind: steps.length === 0 ? 'MODAL' : 'SPOTLIGHT',
    title: steps.length === 0 ? t.draft.welcome : t.draft.newStep,
    body: stepRules.body.default,
    target: null,
    side: stepRules.side.default,
    nextLabel: null,
    previousLabel: null,
    doneLabel: null,
    missingTarget: stepRules.missingTarget.default,
    waitMs: stepRules.waitMs.default,
    ...defaultStep,
  };
}

export function unusedKey(wanted: string, steps: readonly Step[]): string {
  const taken = new Set(steps.map(step => step.key));
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/_\d+$/, '').slice(0, 36);
  for (let number = 2; ; number += 1) {
    const key = `${stem}_${number}`;
    if (!taken.has(key)) return key;
  }
}

export function addStep(content: DraftContent, step: Step, at: number): DraftContent {
  return { ...content, steps: content.steps.toSpliced(at, 0, step) };
}

export function changeStep(content: DraftContent, key: string, change: Partial<Step>): DraftContent {
  const steps = content.steps.map(step => (step.key === key ? { ...step, ...change } : step));
  const renamed =
    change.key !== undefined && change.key !== key ? new Map([[key, change.key]]) : new Map<string, string>();
  return { ...content, steps: steps.map(step => renameBranchTargets(step, renamed)) };
}

/** Maps old keys to new ones. */
function renameBranchTargets(step: Step, names: ReadonlyMap<string, string>): Step {
  if (!step.branches.some(({ to }) => to !== null && names.has(to))) return step;
  return {
    ...step,
    branches: step.branches.map(branch => ({
      ...branch,
      to: branch.to === null ? null : (names.get(branch.to) ?? branch.to),
    })),
  };
}

export function renameSteps(content: DraftContent, names: ReadonlyMap<string, string>): DraftContent {
  if (names.size === 0) return content;
  return {
    ...content,
    steps: content.steps.map(step => ({ ...renameBranchTargets(step, names), key: names.get(step.key) ?? step.key })),
  };
}

export function removeStep(content: DraftContent, key: string): DraftContent {
  return { ...content, steps: content.steps.filter(step => step.key !== key) };
}

export function moveStep(content: DraftContent, key: string, to: number): DraftContent {
  const from = content.steps.findIndex(step => step.key === key);
  const step = content.steps[from];
  const index = Math.max(0, Math.min(content.steps.length - 1, to));
  if (!step || from === index) return content;
  return { ...content, steps: content.steps.toSpliced(from, 1).toSpliced(index, 0, step) };
}

export function duplicateStep(content: DraftContent, key: string): { content: DraftContent; copy: Step } | null {
  const index = content.steps.findIndex(step => step.key === key);
  const step = content.steps[index];
  if (!step) return null;
  const copy: Step = { ...step, key: unusedKey(`${step.key.slice(0, 34)}_2`, content.steps) };
  return { content: addStep(content, copy, index + 1), copy };
}
