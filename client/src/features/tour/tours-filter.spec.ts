import { describe, expect, it } from 'vitest';
import { isToursFilter, toursVariables } from './tours-filter';

describe('the filter of the tour list', () => {
  it('filters by status, or by drafts in review', () => {
    const everything = { workspaceId: 'w', search: null, status: null, draftState: null };
    expect(toursVariables('w', {})).toEqual(everything);
    expect(toursVariables('w', { search: 'cart', status: 'LIVE' })).toEqual({
      ...everything,
      search: 'cart',
      status: 'LIVE',
    });
    expect(toursVariables('w', { status: 'IN_REVIEW' })).toEqual({ ...everything, draftState: 'IN_REVIEW' });
  });

  it('accepts only known values from the URL', () => {
    expect(['LIVE', 'IN_REVIEW', 'FROZEN', '', 3].filter(isToursFilter)).toEqual(['LIVE', 'IN_REVIEW']);
  });
});
