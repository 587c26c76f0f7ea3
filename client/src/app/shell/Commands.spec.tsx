// `Commands` loads it lazily.
import './CommandPalette';
import { ApolloProvider } from '@apollo/client/react';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { beforeEach, expect, it } from 'vitest';
import type { Workspace } from '../../features/workspace/workspace-context';
import { makeClient } from '../../shared/api/client';
import { fireEvent, render, screen } from '../../shared/testing';
import { toasts } from '../../shared/ui/toast';
import { Commands } from './Commands';

const site = (id: string, name: string): Workspace['sites'][number] => ({
  id,
  name,
  key: `wp_pub_${id}`,
  origins: [],
  allowHttp: false,
  identityMode: 'OFF',
  installedAt: null,
  lastSeenAt: null,
  lastPage: null,
  own: false,
  cooldownHours: 0,
  brokenTours: [],
  version: 1,
});

const workspace: Workspace = {
  id: 'workspace',
  slug: 'acme',
  name: 'Acme',
  myRole: 'VIEWER',
  version: 1,
  requireReview: false,
  sample: false,
  reviewsWaiting: [],
  sites: [site('1', 'Demo shop'), site('2', 'Manual')],
  themes: [],
};

const noTours = {
  __typename: 'TourConnection',
  nodes: [],
  pageInfo: { __typename: 'PageInfo', hasNextPage: false, endCursor: null },
  totalCount: 0,
};

const fetch: typeof globalThis.fetch = async () => Response.json({ data: { tours: noTours } });

async function open() {
  const history = createMemoryHistory({ initialEntries: ['/'] });
  const router = createRouter({ routeTree: createRootRoute(), history });
  await router.load();
  render(
    <ApolloProvider client={makeClient({ uri: 'http://localhost/graphql', fetch })}>
      <RouterContextProvider router={router}>
        <Commands workspace={workspace} />
      </RouterContextProvider>
    </ApolloProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  const search = await screen.findByRole('combobox');
  const find = (text: string) => fireEvent.change(search, { target: { value: text } });
  const found = () => screen.queryAllByRole('option').map(each => each.textContent);
  return { history, find, found };
}

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

it('finds sites by name and opens their screens', async () => {
  const { history, find, found } = await open();
  expect(found()).not.toContain('Demo shop');
  find('shop');
  expect(found()).toEqual(['Demo shop']);
  fireEvent.click(screen.getByRole('option', { name: 'Demo shop' }));
  await expect.poll(() => history.location.pathname).toBe('/w/acme/sites/1');
});

it('finds the pages of the navigation', async () => {
  const { history, find, found } = await open();
  find('segm');
  expect(found()).toEqual(['Segments']);
  fireEvent.click(screen.getByRole('option', { name: 'Segments' }));
  await expect.poll(() => history.location.pathname).toBe('/w/acme/segments');
});

it('opens the visitors for “explain” and prompts to choose one', async () => {
  const { history, find } = await open();
  find('explain');
  fireEvent.click(screen.getByRole('option', { name: 'Explain why a tour doesn’t show' }));
  await expect.poll(() => history.location.pathname).toBe('/w/acme/visitors');
  await expect.poll(() => toasts.get().at(-1)?.text).toMatch(/^Choose a visitor/);
});

it('searches the visitors if nothing else is found', async () => {
  const { history, find, found } = await open();
  find('bacbaf');
  expect(found()).toEqual(['Search visitors for “bacbaf”']);
  fireEvent.click(screen.getByRole('option'));
  await expect.poll(() => history.location.href).toBe('/w/acme/visitors?search=bacbaf');
});
