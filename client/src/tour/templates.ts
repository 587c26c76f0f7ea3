/** What a new tour may begin with, so that nobody has to begin with nothing. */
import { newStep, type DraftContent, type Start, type Step } from './draft';

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

export const templates: readonly Template[] = [
  { id: 'empty', name: 'Empty', says: 'Your own, from the first step on.', content: null },
  {
    id: 'welcome',
    name: 'Welcome',
    says: 'Greets new people once and shows them around.',
    content: made([
      { kind: 'MODAL', title: 'Welcome', body: '**Good to have you here.** Three things, and you know your way around.' },
      { title: 'Begin here', body: 'Say what most people do first, and what they get from it.' },
      { title: 'Find anything', body: 'Point at the search or the menu: the way out when somebody is lost.' },
      {
        kind: 'MODAL',
        title: 'That was it',
        body: 'Say where to find help, for example:\n\n- the [guide](https://example.com/guide)\n- the people behind `?`',
        doneLabel: 'Start',
      },
    ]),
  },
  {
    id: 'feature',
    name: 'New feature',
    says: 'Announces what is new, until somebody has seen it to the end.',
    content: made(
      [
        { title: 'New: say what it is', body: 'In one sentence: what people **can do now** that they could not before.' },
        { title: 'Try it', body: 'Point at the first thing to press.', doneLabel: 'Got it' },
      ],
      { frequency: 'UNTIL_COMPLETED' },
    ),
  },
  {
    id: 'task',
    name: 'A task, step by step',
    says: 'Starts when your page asks for it, from a help menu for instance.',
    content: made(
      [
        { kind: 'MODAL', title: 'How to …', body: 'What you need:\n\n1. one thing\n2. another' },
        { title: 'First', body: 'Point at what to press, and say what happens then.' },
        { title: 'Then', body: 'One step of the task for each step of the tour.' },
        { title: 'Done', body: 'Point at the result.' },
      ],
      { trigger: 'MANUAL', frequency: 'ALWAYS' },
    ),
  },
  {
    id: 'example',
    name: 'Example: the demo shop',
    says: 'A finished tour of the demo page. Press Preview, then change what you like.',
    content: made([
      { kind: 'MODAL', title: 'Welcome to Nordhaus', body: 'Find **furniture that stays**. A short look around?', nextLabel: 'Show me' },
      { title: 'Find anything', body: 'Type what you are looking for, for example `lamp`.', ...demo('search') },
      { title: 'Your cart', body: 'What you chose waits here, *also tomorrow*.', ...demo('cart') },
      { title: 'Your orders', body: 'You see here:\n\n- where each order is\n- what it was', side: 'TOP', ...demo('orders') },
      { title: 'Ask us', body: 'We answer within a day.', doneLabel: 'Start shopping', ...demo('help') },
    ]),
  },
];
