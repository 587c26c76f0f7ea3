import { describe, expect, it } from 'vitest';
import { isToursFilter, toursVariables } from './tours-filter';

describe('the filter of the list of tours', () => {
  it('asks for a status, or for what is in review', () => {
    const everything = { workspaceId: 'w', search: null, status: null, draftState: null };
    expect(toursVariables('w', {})).toEqual(everything);
    expect(toursVariables('w', { search: 'cart', status: 'LIVE' })).toEqual({
      ...everything,
      search: 'cart',
      status: 'LIVE',
    });
    expect(toursVariables('w', { status: 'IN_REVIEW' })).toEqual({ ...everything, draftState: 'IN_REVIEW' });
  });

  it('knows what an address may ask for', () => {
    expect(['LIVE', 'IN_REVIEW', 'FROZEN', '', 3].filter(isToursFilter)).toEqual(['LIVE', 'IN_REVIEW']);
  });
});
