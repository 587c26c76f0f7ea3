import { expect, it } from 'vitest';
import { reviewReason, type Releasable } from './release-reason';

const tour = (state: 'DRAFT' | 'IN_REVIEW', hasUnreleasedChanges = true): Releasable => ({
  hasUnreleasedChanges,
  draft: { state, author: { id: 'ada' } },
});

it('where no reviews are required, none is missing', () => {
  expect(reviewReason(false, tour('DRAFT'), 'ada')).toBeNull();
  expect(reviewReason(false, tour('IN_REVIEW'), 'ada')).toBeNull();
});

it('a draft has to be reviewed first, and not by its author', () => {
  expect(reviewReason(true, tour('DRAFT'), 'bob')).toContain('Request a review first.');
  expect(reviewReason(true, tour('IN_REVIEW'), 'ada')).toContain('another publisher');
  expect(reviewReason(true, tour('IN_REVIEW'), 'bob')).toBeNull();
});

it('what is released already may go elsewhere', () => {
  expect(reviewReason(true, tour('DRAFT', false), 'ada')).toBeNull();
});
