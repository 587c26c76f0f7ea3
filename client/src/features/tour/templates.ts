/** What a new tour may begin with, so that nobody has to begin with nothing. */
import { DEMO_EVENT } from '../../player/page-event';
import { t } from '../../shared/i18n/en/templates';
import { freshStart, freshStep, newStep, type DraftContent, type Start, type Step } from './draft';

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Null: nothing, the tour begins empty. */
  readonly content: DraftContent | null;
}

type Parts = Partial<Step> & Pick<Step, 'title' | 'body'>;

function made(steps: readonly Parts[], rules: Partial<Start> = {}): DraftContent {
  return {
    steps: steps.map((step, index): Step => ({ ...newStep([]), kind: 'SPOTLIGHT', key: `step_${index + 1}`, ...step })),
    start: { ...freshStart, ...rules },
    themeId: null,
  };
}

/** When a step ends other than by its button. */
const ends = (rule: Partial<Step['advance']>): Pick<Step, 'advance'> => ({
  advance: { ...freshStep.advance, ...rule },
});

const demo = (name: string): Pick<Step, 'target'> => ({ target: { by: 'DATA_TOUR', value: `play-${name}` } });

/** The words of each step, and what else it has. */
const worded = (words: readonly Parts[], rest: readonly Partial<Step>[]): Parts[] =>
  words.map((each, index) => ({ ...rest[index], ...each }));

const modal = { kind: 'MODAL' } as const;
const hint = { kind: 'HINT' } as const;
const DEMO_CART = '/play/cart';

export const templates = (): readonly Template[] => [
  { id: 'empty', ...t.empty, content: null },
  { id: 'welcome', ...t.welcome, content: made(worded(t.welcomeSteps, [modal, {}, {}, modal])) },
  { id: 'feature', ...t.feature, content: made(t.featureSteps, { frequency: 'UNTIL_COMPLETED' }) },
  { id: 'task', ...t.task, content: made(worded(t.taskSteps, [modal]), { trigger: 'MANUAL', frequency: 'ALWAYS' }) },
  { id: 'hints', ...t.hints, content: made(worded(t.hintSteps, [hint, hint]), { frequency: 'UNTIL_COMPLETED' }) },
  {
    id: 'hands-on',
    ...t.handsOn,
    content: made(
      worded(t.handsOnSteps, [
        {
          kind: 'MODAL',
          key: 'choice',
          branches: [
            { label: t.handsOnChoices.order, to: 'cart', when: null },
            { label: t.handsOnChoices.look, to: 'search', when: null },
          ],
        },
        { kind: 'POINTER', key: 'cart', ...demo('cart'), ...ends({ on: 'TARGET_CLICK' }) },
        {
          kind: 'POINTER',
          key: 'order',
          page: DEMO_CART,
          ...demo('order'),
          ...ends({ on: 'EVENT', event: DEMO_EVENT }),
        },
        { kind: 'WAIT', key: 'confirmed', ...ends({ on: 'ELEMENT', selector: '[data-tour="play-thanks"]' }) },
        { key: 'thanks', page: DEMO_CART, ...demo('thanks'), branches: [{ label: null, to: null, when: null }] },
        { ...hint, key: 'search', ...demo('search') },
        { ...hint, key: 'help', ...demo('help') },
      ]),
    ),
  },
  {
    id: 'example',
    ...t.example,
    content: made(
      worded(t.exampleSteps, [modal, demo('search'), demo('cart'), { side: 'TOP', ...demo('orders') }, demo('help')]),
    ),
  },
];
