import { expect, it } from 'vitest';
import { aroundSubject, objectLink, type Objects } from './object-link';

const objects: Objects = {
  tours: [
    { slug: 'first-order', title: 'First order' },
    { slug: 'copy-1', title: 'Copy' },
    { slug: 'copy-2', title: 'Copy' },
  ],
  sites: [{ id: 's1', name: 'Shop' }],
  themes: [{ id: 't1', name: 'Night' }],
  segments: [{ id: 'g1', name: 'Gold' }],
};

const link = (action: string, subject: string) => objectLink({ action, subject }, objects);

it('leads to the page of the object where the change is visible', () => {
  expect(link('tour.rename', 'First order')).toEqual({ page: 'tour', tour: 'first-order' });
  expect(link('tour.release', 'First order')).toEqual({ page: 'releases', tour: 'first-order' });
  expect(link('release.pause', 'First order')).toEqual({ page: 'releases', tour: 'first-order' });
  expect(link('comment.delete', 'First order')).toEqual({ page: 'revisions', tour: 'first-order' });
  expect(link('identity.create', 'Shop')).toEqual({ page: 'site', id: 's1' });
  expect(link('visitor.purge', 'Shop')).toEqual({ page: 'site', id: 's1' });
  expect(link('theme.update', 'Night')).toEqual({ page: 'theme', id: 't1' });
  expect(link('segment.update', 'Gold')).toEqual({ page: 'segment', id: 'g1' });
  expect(link('visitor.reset', 'v1')).toEqual({ page: 'visitor', id: 'v1' });
  expect(link('token.create', 'CI')).toEqual({ page: 'members' });
  expect(link('workspace.rename', 'Acme')).toEqual({ page: 'settings' });
});

it('leads nowhere if the object is deleted, unknown, or one of several with the name', () => {
  expect(link('tour.rename', 'Copy')).toBeNull();
  expect(link('tour.rename', 'Gone')).toBeNull();
  expect(link('segment.delete', 'Gold')).toBeNull();
  expect(link('visitor.erase', 'v1')).toBeNull();
  expect(link('future.action', 'First order')).toBeNull();
});

it('finds the subject in the sentence', () => {
  expect(aroundSubject('renamed the tour “A” to “B”', 'A')).toEqual(['renamed the tour “', '” to “B”']);
  expect(aroundSubject('left the workspace', 'Ada')).toBeNull();
  expect(aroundSubject('left the workspace', '')).toBeNull();
});
