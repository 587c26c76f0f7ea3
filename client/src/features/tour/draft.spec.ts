import { expect, it } from 'vitest';
import type { TourDraft_RevisionFragment } from '../../generated/operations';
import { defaultStart, savedDraftOf } from './draft';

const revision = {
  steps: [],
  start: defaultStart,
  theme: null,
  version: 3,
  author: { id: 'ana', name: 'Ana' },
  problems: [],
} as unknown as TourDraft_RevisionFragment;

it('names the author of a saved draft, unless the reader is the author', () => {
  expect(savedDraftOf(revision, 'ben').author).toBe('Ana');
  expect(savedDraftOf(revision, 'ana').author).toBeNull();
  expect(savedDraftOf(revision).author).toBe('Ana');
});
