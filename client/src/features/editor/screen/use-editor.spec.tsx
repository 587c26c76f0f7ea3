import { ApolloProvider } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { connectAuthSession } from '../../../shared/api/auth-session';
import { makeClient } from '../../../shared/api/client';
import { act, cleanup, renderHook } from '../../../shared/testing';
import { defaultStart, newStep, type SavedDraft } from '../../tour/draft';
import { localDraftStore } from '../model/local-draft';
import { useEditor } from './use-editor';

const initial: SavedDraft = {
  content: {
    steps: [newStep([])],
    start: defaultStart,
    themeId: null,
    locales: ['en'],
  },
  version: 1,
  author: 'Ada',
  problems: [],
};

afterEach(() => {
  cleanup();
  localStorage.clear();
});

it('does not send the changes of one account after another signs in, and keeps them for their author', async () => {
  let accountName = 'ada';
  const disconnect = connectAuthSession({
    accountKey: () => accountName,
    token: async () => accountName,
    renew: async () => null,
  });
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.reject(new TypeError('Failed to fetch')));
  const client = makeClient({ uri: 'http://localhost/graphql', fetch });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ApolloProvider client={client}>{children}</ApolloProvider>
  );
  const options = { tourId: 't', slug: 'tour', workspaceId: 'w', accountId: 'account of ada', initial };
  const { result, unmount } = renderHook(() => useEditor(options), { wrapper });

  act(() => result.current.editor.edit(content => ({ ...content, themeId: 'of ada' }), { name: 'theme' }));
  accountName = 'bob';
  await act(async () => result.current.editor.flush());
  await expect.poll(() => result.current.state.save.kind).toBe('rejected');
  unmount();
  await Promise.resolve();
  disconnect();

  expect(fetch).not.toHaveBeenCalled();
  expect(localDraftStore(localStorage, 'account of ada', 't').read()?.content.themeId).toBe('of ada');
});
