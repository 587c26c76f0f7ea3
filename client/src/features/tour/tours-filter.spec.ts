import { describe, expect, it } from 'vitest';
import { readToursSearch, sortDirection, sortedBy, toursVariables, type ToursSearch } from './tours-filter';

describe('the filter of the tour list', () => {
  it('filters by status or drafts in review, and by site', () => {
    const everything = {
      workspaceId: 'w',
      search: null,
      status: null,
      draftState: null,
      siteId: null,
      builtIn: false,
      order: 'CHANGED',
      reverse: false,
      first: 50,
    };
    expect(toursVariables('w', {})).toEqual(everything);
    expect(toursVariables('w', { status: 'LIVE', sort: 'RUNS', reverse: true })).toEqual({
      ...everything,
      status: 'LIVE',
      order: 'RUNS',
      reverse: true,
    });
    expect(toursVariables('w', { status: 'IN_REVIEW' })).toEqual({ ...everything, draftState: 'IN_REVIEW' });
  });

  it('finds the tours of Waypost’s own site only by a search and by their site', () => {
    expect(toursVariables('w', { search: 'welcome' })).toMatchObject({ search: 'welcome', builtIn: true });
    expect(toursVariables('w', { site: 's' })).toMatchObject({ siteId: 's', builtIn: true });
    expect(toursVariables('w', { status: 'LIVE' })).toMatchObject({ builtIn: false });
  });

  it('accepts only known values from the URL', () => {
    const read = (raw: Record<string, unknown>) => readToursSearch(raw);
    expect(read({ status: 'FROZEN', sort: 'AUTHOR', reverse: 'yes', site: 3, search: ['a'] })).toEqual({});
    expect(read({ status: 'IN_REVIEW', sort: 'RUNS', reverse: true, site: 's', search: 'cart' })).toEqual({
      status: 'IN_REVIEW',
      sort: 'RUNS',
      reverse: true,
      site: 's',
      search: 'cart',
    });
  });

  it('sorts by the chosen column, and reverses the order when it is chosen again', () => {
    const byRuns = sortedBy({ site: 's' }, 'RUNS');
    expect(byRuns).toEqual({ site: 's', sort: 'RUNS' });
    expect(sortedBy(byRuns, 'RUNS')).toEqual({ site: 's', sort: 'RUNS', reverse: true });
    expect(sortedBy(sortedBy(byRuns, 'RUNS'), 'RUNS')).toEqual(byRuns);
    expect(sortedBy({}, 'CHANGED')).toEqual({ reverse: true });
    expect(sortedBy({ sort: 'RUNS', reverse: true }, 'TITLE')).toEqual({ sort: 'TITLE' });
    const directions = (search: ToursSearch) => [sortDirection(search, 'TITLE'), sortDirection(search, 'CHANGED')];
    expect(directions({})).toEqual([null, 'descending']);
    expect(directions({ sort: 'TITLE' })).toEqual(['ascending', null]);
    expect(directions({ sort: 'TITLE', reverse: true })).toEqual(['descending', null]);
  });
});
