import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { act, render } from '../testing';
import { Tabs } from './Tabs';

it('scrolls the active tab into view', async () => {
  const shown: (string | null)[] = [];
  Element.prototype.scrollIntoView = function scrollIntoView() {
    shown.push(this.textContent);
  };
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: ['/insights'] }),
  });
  await router.load();
  render(
    <RouterContextProvider router={router}>
      <Tabs label="Tour">
        <a href="/write">Write</a>
        <a href="/insights">Insights</a>
      </Tabs>
    </RouterContextProvider>,
  );
  expect(shown).toEqual(['Insights']);
  await act(() => router.navigate({ to: '/write' as string }));
  expect(shown).toEqual(['Insights', 'Write']);
});
