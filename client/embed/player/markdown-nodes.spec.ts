import { expect, it } from 'vitest';
import { markdownNodes } from './markdown-nodes';

it('releases the space of an image that cannot be loaded', () => {
  const [image] = markdownNodes('![a cat](https://a.example/cat.png)');
  expect(image).toMatchObject({ className: '' });
  image?.dispatchEvent(new Event('error'));
  expect(image).toMatchObject({ className: 'wp-failed' });
});
