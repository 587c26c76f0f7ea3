import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { act, cleanup, render, screen } from '../../../shared/testing';
import { useFailingImages } from './use-failing-images';

const images: (EventTarget & { src?: string })[] = [];

function Text({ body, kind = 'MODAL' }: { body: string; kind?: 'MODAL' | 'WAIT' }) {
  const step = { kind, body };
  return <output>{useFailingImages([step])(step) ? 'fails' : 'fine'}</output>;
}

const waitForDebounce = () => act(() => vi.advanceTimersByTimeAsync(300));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'Image',
    class extends EventTarget {
      constructor() {
        super();
        images.push(this);
      }
    },
  );
});

afterEach(() => {
  cleanup();
  images.length = 0;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('reports an image that fails to load until the text changes to another image', async () => {
  const { rerender } = render(<Text body="Look: ![a cat](https://a.example/cat.png)" />);
  await waitForDebounce();
  expect(images, 'inline images are not loaded').toEqual([]);
  rerender(<Text body="![a cat](https://a.example/cat.png)" />);
  await waitForDebounce();
  expect(images.map(each => each.src)).toEqual(['https://a.example/cat.png']);
  expect(screen.getByRole('status').textContent).toBe('fine');
  act(() => void images[0]?.dispatchEvent(new Event('error')));
  expect(screen.getByRole('status').textContent).toBe('fails');
  rerender(<Text kind="WAIT" body="![a cat](https://a.example/cat.png)" />);
  expect(screen.getByRole('status').textContent, 'a wait shows no images').toBe('fine');
  rerender(<Text body="![a dog](https://a.example/dog.png)" />);
  await waitForDebounce();
  expect(screen.getByRole('status').textContent).toBe('fine');
});
