import { describe, expect, it } from 'vitest';
import { developerMessage, installCode } from './install-texts';

const code = installCode(
  {
    src: 'https://tours.example/embed/v1.js',
    pinnedSrc: 'https://tours.example/embed/loader-1a2b.js',
    integrity: 'sha384-abc',
  },
  'wp_pub_1',
);

describe('the code to install a site', () => {
  it('contains the key and the addresses of the server', () => {
    expect(code.script).toContain(`waypost.init({ key: 'wp_pub_1', origin: 'https://tours.example' })`);
    expect(code.script).toContain(`import('https://tours.example/embed/v1.js')`);
    expect(code.tag).toBe('<script async src="https://tours.example/embed/v1.js" data-key="wp_pub_1"></script>');
    expect(code.pinned).toContain(`src: 'https://tours.example/embed/loader-1a2b.js', crossOrigin: 'anonymous'`);
    expect(code.pinned).toContain(`integrity: 'sha384-abc'`);
    expect(code.policy).toBe('script-src https://tours.example;\nconnect-src https://tours.example;');
  });

  it('is complete in the message for a developer', () => {
    const message = developerMessage(code, { name: 'Shop', origins: ['https://shop.example'] });
    for (const part of [...Object.values(code), 'Shop', 'https://shop.example']) expect(message).toContain(part);
  });

  it('does not offer packages that are not published', () => {
    const message = developerMessage(code, { name: 'Shop', origins: [] });
    expect(message).not.toContain('npm');
  });
});
