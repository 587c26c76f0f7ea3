import type { MissingTarget } from '../../../generated/operations';
import { defineMessages } from '../messages';

const english = {
  next: 'Next',
  previous: 'Previous',
  done: 'Done',
  close: 'Close',
  gotIt: 'Got it',
  loading: 'Loading the next step…',
  waiting: 'Waiting for the page…',
  hotspot: (title: string) => `Tip: ${title}`,
  of: 'of',
  count: (at: number, all: number) => `${at} of ${all}`,
  preview: {
    demoPage: 'Demo page',
    title: 'Preview',
    titleFrom: (place: number) => `Preview from step ${place}`,
    fromStart: 'From the start',
    waits: 'Nothing to show: the tour is waiting.',
    waitsFor: (what: string) => `Nothing to show: the tour is waiting and continues when ${what}.`,
    missing: (step: string, visitors: string) =>
      `This page doesn’t have the element of “${step}”, so the step is shown in the center. ${visitors}`,
    visitors: {
      SHOW_CENTERED: 'Visitors see it there, too.',
      SKIP_STEP: 'For visitors, the step is skipped.',
      END_RUN: 'For visitors, the tour ends here.',
    } satisfies Readonly<Record<MissingTarget, string>>,
    passed: (step: string) => `Skipped “${step}”: its element isn’t on this page.`,
    empty: 'Nothing to show: no step has an element on this page.',
    where: 'Preview on',
    language: 'Language',
    onDemo: 'Demo page',
    onPicture: 'Screenshot',
    end: 'End preview',
  },
  picture: {
    region: 'Preview on a screenshot',
    title: 'Preview on a screenshot of your page',
    paste:
      'Paste a screenshot (Ctrl+V, or ⌘V on a Mac), drop one here, or choose a file. It isn’t uploaded, and it’s gone when you reload.',
    choose: 'Choose image',
    other: 'Change image',
    noPicture: 'Your browser can’t show this file as an image.',
    alt: 'Your screenshot',
    steps: 'Steps to place',
    placed: (step: string) => `${step}, placed`,
    draw: (step: string) =>
      `Draw a rectangle around the element of “${step}”. Or select the step and use the arrow keys to move it, with Shift to resize it.`,
    nothing: 'No step needs an element. Start the preview.',
    play: 'Start preview',
    empty: 'Nothing to show: no step is placed on the screenshot.',
    missing: (step: string) => `“${step}” isn’t placed on the screenshot, so it’s shown in the center.`,
    passed: (step: string) => `Skipped “${step}”: it isn’t placed on the screenshot.`,
  },
  picker: {
    region: 'Choose an element on the demo page',
    title: 'Choose an element',
    hint: 'Elements are labeled with their data-tour name. For others, enter a CSS selector in the step.',
    elementWithoutName: 'This element has no data-tour name. Enter a CSS selector in the step.',
    pages: 'Page',
    shop: 'Shop',
    cart: 'Cart',
    cancel: 'Cancel',
  },
};

export type PlayerTexts = typeof english;
export const t = defineMessages('player', english);
