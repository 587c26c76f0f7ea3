import { expect, it } from 'vitest';
import { awaitsInstallation } from './awaits-installation';

const site = (id: string, lastSeenAt: string | null = null, own = false) => ({ id, own, lastSeenAt });
const release = (id: string, state = 'LIVE') => ({ state, site: { id } });

it('awaits installation while no site with a live release has loaded a tour', () => {
  const sites = [site('new'), site('seen', '2026-11-01T00:00:00Z'), site('own', null, true)];
  const awaits = (...releases: ReturnType<typeof release>[]) => awaitsInstallation(releases, { sites, sample: false });
  expect(awaits(release('new'))).toBe(true);
  expect(awaits(release('new'), release('seen', 'PAUSED'))).toBe(true);
  expect(awaits(release('new'), release('seen'))).toBe(false);
  expect(awaits(release('own'))).toBe(false);
  expect(awaits(release('new', 'PAUSED'))).toBe(false);
  expect(awaits()).toBe(false);
});

it('does not await installation in a sample workspace, whose visitors are generated', () => {
  expect(awaitsInstallation([release('new')], { sites: [site('new')], sample: true })).toBe(false);
});
