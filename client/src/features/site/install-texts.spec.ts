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
    expect(code.script).toBe('<script async src="https://tours.example/embed/v1.js" data-key="wp_pub_1"></script>');
    expect(code.pinned).toContain('src="https://tours.example/embed/loader-1a2b.js" data-key="wp_pub_1"');
    expect(code.pinned).toContain('integrity="sha384-abc" crossorigin="anonymous"');
    expect(code.policy).toBe('script-src https://tours.example;\nconnect-src https://tours.example;');
  });

  it('is complete in the message for a developer', () => {
    const message = developerMessage(code, { name: 'Shop', origins: ['https://shop.example'] });
    for (const part of [code.script, code.pinned, code.policy, code.browser, 'Shop', 'https://shop.example']) {
      expect(message).toContain(part);
    }
  });
});
