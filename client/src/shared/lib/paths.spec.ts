import { expect, it } from 'vitest';
import { backPath, demoPath, explainPath } from './paths';

it('links the demo page of a workspace to its visitor', () => {
  const address = demoPath('wp_pub_demo', 'acme');
  expect(address).toBe('/play?key=wp_pub_demo&workspace=acme');
  expect(explainPath(new URL(address, 'http://localhost'), 'p-1')).toBe(
    `/w/acme/visitors/p-1?page=${encodeURIComponent(`http://localhost${address}`)}`,
  );
});

it('leads back from the demo page to the sites of its workspace', () => {
  expect(backPath(new URL(demoPath('wp_pub_demo', 'acme'), 'http://localhost'))).toBe('/w/acme/sites');
  expect(backPath(new URL('http://localhost/play?workspace=//evil.example'))).toBe('/');
});

it('returns no link if the address contains no valid workspace', () => {
  expect(explainPath(new URL('http://localhost/play?key=wp_pub_demo'), 'p-1')).toBeNull();
  expect(explainPath(new URL('http://localhost/play?workspace=//evil.example'), 'p-1')).toBeNull();
});
