import type { MissingTarget } from '../../../generated/operations';
import { defineMessages } from '../messages';

const english = {
  next: 'Next',
  previous: 'Previous',
  done: 'Done',
  close: 'Close',
  gotIt: 'Got it',
  hint: (title: string) => `Hint: ${title}`,
  of: 'of',
  count: (at: number, all: number) => `${at} of ${all}`,
  preview: {
    demoPage: 'Demo page',
    title: 'Preview',
    titleFrom: (place: number) => `Preview from step ${place}`,
    fromStart: 'From the start',
    waits: 'Nothing is shown: the tour waits.',
    waitsFor: (what: string) => `Nothing is shown: the tour waits, and goes on with ${what}.`,
    missing: (step: string, visitors: string) =>
      `“${step}” points at an element that this page does not have: shown in the middle. ${visitors}`,
    visitors: {
      SHOW_CENTERED: 'Visitors see it there too.',
      SKIP_STEP: 'Visitors would skip the step.',
      END_RUN: 'For visitors the tour would end.',
    } satisfies Readonly<Record<MissingTarget, string>>,
    passed: (step: string) => `“${step}” was passed over: its element is not here.`,
    empty: 'There was nothing to see: no step has an element of this page.',
    where: 'Where to preview',
    onDemo: 'Demo page',
    onPicture: 'Screenshot',
    end: 'End preview',
  },
  picture: {
    region: 'Preview on a screenshot',
    title: 'Preview on a picture of your page',
    paste:
      'Paste a screenshot (Ctrl+V, on a Mac ⌘V), drop one here, or choose a file. It stays in this window: nothing of it is sent anywhere, and it is gone when you reload.',
    choose: 'Choose a picture',
    other: 'Another picture',
    noPicture: 'This is no picture that the browser can show.',
    alt: 'Your screenshot',
    steps: 'Steps to place',
    placed: (step: string) => `${step}, placed`,
    draw: (step: string) =>
      `Draw a rectangle around the element of “${step}”. Or choose the step and press the arrow keys to move it, with Shift to resize it.`,
    nothing: 'No step stands at an element: play it as it is.',
    play: 'Play',
    empty: 'There was nothing to see: no step is placed on the picture.',
    missing: (step: string) => `“${step}” is not placed on the picture: shown in the middle.`,
    passed: (step: string) => `“${step}” was passed over: it is not placed on the picture.`,
  },
  picker: {
    region: 'Choose an element of the demo page',
    title: 'Which element?',
    hint: 'Each has its data-tour name. For others, write a CSS selector in the step.',
    missed: 'This has no data-tour name: write a CSS selector in the step.',
    pages: 'Page',
    shop: 'Shop',
    cart: 'Cart',
    cancel: 'Cancel',
  },
};

export type PlayerTexts = typeof english;
export const t = defineMessages('player', english);
