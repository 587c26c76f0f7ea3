import type { PlayStep, PlayTheme } from './types';

export const playStep = (key: string, change: Partial<PlayStep> = {}): PlayStep => ({
  key,
  kind: 'MODAL',
  title: key,
  body: '',
  target: null,
  side: 'AUTO',
  nextLabel: null,
  previousLabel: null,
  doneLabel: null,
  missingTarget: 'SKIP_STEP',
  waitMs: 0,
  page: null,
  advance: { on: 'BUTTON', page: null, selector: null, event: null, delayMs: 5000 },
  branches: [],
  blockPage: false,
  closeOnOutsideClick: false,
  translations: [],
  ...change,
});

export const playTheme: PlayTheme = {
  overlayOpacity: 0.7,
  stagePadding: 10,
  stageRadius: 5,
  popoverOffset: 10,
  animationMs: 0,
  overlayColor: '#000000',
  accentColor: '#2f5bea',
  popoverWidth: 320,
};
