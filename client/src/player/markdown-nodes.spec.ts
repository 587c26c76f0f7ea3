import { expect, it } from 'vitest';
import { markdownNodes } from './markdown-nodes';

it('hides an image that cannot be loaded', () => {
  const [image] = markdownNodes('![a cat](https://a.example/cat.png)');
  expect(image).toMatchObject({ className: '' });
  image?.dispatchEvent(new Event('error'));
  expect(image).toMatchObject({ className: 'wp-failed' });
});
