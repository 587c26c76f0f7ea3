import { expect, it } from 'vitest';
import { reviewReason, type Releasable } from './release-reason';

const tour = (state: 'DRAFT' | 'IN_REVIEW', hasUnreleasedChanges = true): Releasable => ({
  hasUnreleasedChanges,
  draft: { state, author: { id: 'ada' } },
});

it('allows every release if reviews are not required', () => {
  expect(reviewReason(false, tour('DRAFT'), 'ada')).toBeNull();
  expect(reviewReason(false, tour('IN_REVIEW'), 'ada')).toBeNull();
});

it('requires a review by another account than the author', () => {
  expect(reviewReason(true, tour('DRAFT'), 'bob')).toContain('Request a review first.');
  expect(reviewReason(true, tour('IN_REVIEW'), 'ada')).toContain('another publisher');
  expect(reviewReason(true, tour('IN_REVIEW'), 'bob')).toBeNull();
});

it('allows releasing an already released revision on other sites', () => {
  expect(reviewReason(true, tour('DRAFT', false), 'ada')).toBeNull();
});
