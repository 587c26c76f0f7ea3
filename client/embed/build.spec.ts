import { expect, it } from 'vitest';
import { buildEmbed, embedProblems } from '../build/embed';

it('is within its budgets and contains only modules under MIT or Apache-2.0', async () => {
  const files = await buildEmbed();
  expect(embedProblems(files)).toEqual([]);
  expect(files.player.modules.some(id => id.endsWith('/embed/renderer/renderer.ts'))).toBe(true);
  const intro = { ...files.player, modules: [...files.player.modules, '/node_modules/intro.js/intro.js'] };
  const large = { ...files.loader, gzipBytes: 5000 };
  expect(embedProblems({ loader: large, player: intro })).toHaveLength(2);
});
