import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useFailingImages } from './use-failing-images';

const asked: (EventTarget & { src?: string })[] = [];

function Text({ body, kind = 'MODAL' }: { body: string; kind?: 'MODAL' | 'WAIT' }) {
  const step = { kind, body };
  return <output>{useFailingImages([step])(step) ? 'fails' : 'fine'}</output>;
}

const settle = () => act(() => vi.advanceTimersByTimeAsync(300));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'Image',
    class extends EventTarget {
      constructor() {
        super();
        asked.push(this);
      }
    },
  );
});

afterEach(() => {
  cleanup();
  asked.length = 0;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('says that an image does not load, until the text has another one', async () => {
  const { rerender } = render(<Text body="Look: ![a cat](https://a.example/cat.png)" />);
  await settle();
  expect(asked, 'no image within a line').toEqual([]);
  rerender(<Text body="![a cat](https://a.example/cat.png)" />);
  await settle();
  expect(asked.map(each => each.src)).toEqual(['https://a.example/cat.png']);
  expect(screen.getByRole('status').textContent).toBe('fine');
  act(() => void asked[0]?.dispatchEvent(new Event('error')));
  expect(screen.getByRole('status').textContent).toBe('fails');
  rerender(<Text kind="WAIT" body="![a cat](https://a.example/cat.png)" />);
  expect(screen.getByRole('status').textContent, 'a wait shows nothing').toBe('fine');
  rerender(<Text body="![a dog](https://a.example/dog.png)" />);
  await settle();
  expect(screen.getByRole('status').textContent).toBe('fine');
});
