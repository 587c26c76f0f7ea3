import { expect, it } from 'vitest';
import { createStore } from './create-store';

it('notifies listeners until they are removed', () => {
  const store = createStore(1);
  const seen: number[] = [];
  const remove = store.subscribe(() => seen.push(store.get()));
  store.set(2);
  remove();
  store.set(3);
  expect([seen, store.get()]).toEqual([[2], 3]);
});

it('starts for the first listener and stops after the last', () => {
  const calls: string[] = [];
  const store = createStore(0, () => {
    calls.push('start');
    return () => calls.push('stop');
  });
  const removeFirst = store.subscribe(() => {});
  const removeSecond = store.subscribe(() => {});
  removeFirst();
  removeFirst();
  expect(calls).toEqual(['start']);
  removeSecond();
  expect(calls).toEqual(['start', 'stop']);
});
