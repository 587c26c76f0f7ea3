import { expect, it } from 'vitest';
import { demoAddress, explainLink } from './explain-link';

it('leads from the demo page of a workspace to its visitor', () => {
  const address = demoAddress('wp_pub_demo', 'acme');
  expect(address).toBe('/play?key=wp_pub_demo&workspace=acme');
  expect(explainLink(new URL(address, 'http://localhost'), 'p-1')).toBe(
    `/w/acme/people/p-1?page=${encodeURIComponent(`http://localhost${address}`)}`,
  );
});

it('leads nowhere when the address names no workspace, or something else', () => {
  expect(explainLink(new URL('http://localhost/play?key=wp_pub_demo'), 'p-1')).toBeNull();
  expect(explainLink(new URL('http://localhost/play?workspace=//evil.example'), 'p-1')).toBeNull();
});
