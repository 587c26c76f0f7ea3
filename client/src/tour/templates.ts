/** What a new tour may begin with, so that nobody has to begin with nothing. */
import { newStep, type DraftContent, type Start, type Step } from './draft';
import { t } from '../texts/templates';

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly says: string;
  /** Null: nothing, the tour begins empty. */
  readonly content: DraftContent | null;
}

type Parts = Partial<Step> & Pick<Step, 'title' | 'body'>;

const start: Start = { trigger: 'AUTO', frequency: 'ONCE', page: null, delayMs: 0 };

function made(steps: readonly Parts[], rules: Partial<Start> = {}): DraftContent {
  return {
    steps: steps.map((step, index): Step => ({ ...newStep([]), kind: 'SPOTLIGHT', key: `step_${index + 1}`, ...step })),
    start: { ...start, ...rules },
    themeId: null,
  };
}

const demo = (name: string): Pick<Step, 'target'> => ({ target: { by: 'DATA_TOUR', value: `play-${name}` } });

/** The words of each step, and what else it has. */
const worded = (words: readonly Parts[], rest: readonly Partial<Step>[]): Parts[] =>
  words.map((each, index) => ({ ...rest[index], ...each }));

const modal = { kind: 'MODAL' } as const;

export const templates = (): readonly Template[] => [
  { id: 'empty', ...t.empty, content: null },
  { id: 'welcome', ...t.welcome, content: made(worded(t.welcomeSteps, [modal, {}, {}, modal])) },
  { id: 'feature', ...t.feature, content: made(t.featureSteps, { frequency: 'UNTIL_COMPLETED' }) },
  { id: 'task', ...t.task, content: made(worded(t.taskSteps, [modal]), { trigger: 'MANUAL', frequency: 'ALWAYS' }) },
  {
    id: 'example',
    ...t.example,
    content: made(
      worded(t.exampleSteps, [modal, demo('search'), demo('cart'), { side: 'TOP', ...demo('orders') }, demo('help')]),
    ),
  },
];
