import { expect, it } from 'vitest';
import { plainText } from '../player/markdown';
import { checkContent } from './draft';
import { templates } from './templates';

it.each(templates.flatMap(({ name, content }) => (content ? [{ name, content }] : [])))(
  '$name breaks no rule and is short enough to be read',
  ({ content }) => {
    expect(checkContent(content)).toEqual([]);
    expect(content.steps.length).toBeLessThanOrEqual(7);
    for (const step of content.steps) expect(plainText(step.body).length).toBeLessThan(200);
  },
);
