import { expect, it } from 'vitest';
import { toast, toasts } from './toast';

it('replaces a notice about the same topic, so that two notices never contradict each other', () => {
  toast('Tour paused on Shop.', { topic: 'release shop' });
  toast('Tour paused on Docs.', { topic: 'release docs' });
  toast('Tour resumed on Shop.', { topic: 'release shop' });
  expect(toasts.get().map(({ text }) => text)).toEqual(['Tour paused on Docs.', 'Tour resumed on Shop.']);
});
