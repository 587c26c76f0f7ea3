import { DEMO_EVENT } from '../../../embed/player/page-event';
import { t } from '../../shared/i18n/en/templates';
import { paths } from '../../shared/lib/paths';
import { defaultStart, defaultStep, newStep, type DraftContent, type Start, type Step } from './draft';

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The content without the languages, which the author chooses. Null for an empty tour. */
  readonly content: Omit<DraftContent, 'locales'> | null;
}

type StepParts = Partial<Step> & Pick<Step, 'title' | 'body'>;

function templateContent(steps: readonly StepParts[], rules: Partial<Start> = {}): Template['content'] {
  return {
    steps: steps.map((step, index): Step => ({ ...newStep([]), kind: 'SPOTLIGHT', key: `step_${index + 1}`, ...step })),
    start: { ...defaultStart, ...rules },
    themeId: null,
  };
}

const advanceBy = (rule: Partial<Step['advance']>): Pick<Step, 'advance'> => ({
  advance: { ...defaultStep.advance, ...rule },
});

const demoTarget = (name: string): Pick<Step, 'target'> => ({ target: { by: 'DATA_TOUR', value: `play-${name}` } });

const withTexts = (texts: readonly StepParts[], rest: readonly Partial<Step>[]): StepParts[] =>
  texts.map((each, index) => ({ ...rest[index], ...each }));

const modal = { kind: 'MODAL' } as const;
const hotspot = { kind: 'HOTSPOT' } as const;

export const templates = (): readonly Template[] => [
  { id: 'empty', ...t.empty, content: null },
  { id: 'welcome', ...t.welcome, content: templateContent(withTexts(t.welcomeSteps, [modal, {}, {}, modal])) },
  { id: 'feature', ...t.feature, content: templateContent(t.featureSteps, { frequency: 'UNTIL_COMPLETED' }) },
  {
    id: 'task',
    ...t.task,
    content: templateContent(withTexts(t.taskSteps, [modal]), { trigger: 'MANUAL', frequency: 'ALWAYS' }),
  },
  {
    id: 'hotspots',
    ...t.hotspots,
    content: templateContent(withTexts(t.hotspotSteps, [hotspot, hotspot]), { frequency: 'UNTIL_COMPLETED' }),
  },
  {
    id: 'hands-on',
    ...t.handsOn,
    content: templateContent(
      withTexts(t.handsOnSteps, [
        {
          kind: 'MODAL',
          key: 'choice',
          branches: [
            { label: t.handsOnChoices.order, to: 'cart', when: null },
            { label: t.handsOnChoices.look, to: 'search', when: null },
          ],
        },
        { kind: 'TOOLTIP', key: 'cart', ...demoTarget('cart'), ...advanceBy({ on: 'TARGET_CLICK' }) },
        {
          kind: 'TOOLTIP',
          key: 'order',
          page: paths.playCart,
          ...demoTarget('order'),
          ...advanceBy({ on: 'EVENT', event: DEMO_EVENT }),
        },
        { kind: 'WAIT', key: 'confirmed', ...advanceBy({ on: 'ELEMENT', selector: '[data-tour="play-thanks"]' }) },
        {
          key: 'thanks',
          page: paths.playCart,
          ...demoTarget('thanks'),
          branches: [{ label: null, to: null, when: null }],
        },
        { ...hotspot, key: 'search', ...demoTarget('search') },
        { ...hotspot, key: 'help', ...demoTarget('help') },
      ]),
    ),
  },
  {
    id: 'example',
    ...t.example,
    content: templateContent(
      withTexts(t.exampleSteps, [
        modal,
        demoTarget('search'),
        demoTarget('cart'),
        { side: 'TOP', ...demoTarget('orders') },
        demoTarget('help'),
      ]),
    ),
  },
];
