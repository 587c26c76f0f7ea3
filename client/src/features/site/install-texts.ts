// The code that customers add to their pages, and the message for a developer.

import type { InstanceQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/site';

export type EmbedScript = NonNullable<InstanceQuery['instance']['embed']>;

export interface InstallCode {
  /** Does not delay the page's `load` event, however slow the server is. */
  script: string;
  /** The tag for pages that allow no inline script, and for tag managers. */
  tag: string;
  /** One version, with Subresource Integrity. */
  pinned: string;
  policy: string;
  nonce: string;
}

export function installCode({ src, pinnedSrc, integrity }: EmbedScript, key: string): InstallCode {
  const { origin } = new URL(src);
  const init = `(window.waypost ??= []).push(waypost => waypost.init({ key: '${key}', origin: '${origin}' }));`;
  // A page's `load` event waits for script elements and, in some browsers, for imported modules, but not for a request
  // of a script. The second request is served from the cache.
  const code = (address: string, then: string) =>
    `<script>\n  ${init}\n  fetch('${address}').then(() => ${then}).catch(() => {});\n</script>`;
  const pinned = `Object.assign(document.createElement('script'), {\n    src: '${pinnedSrc}', crossOrigin: 'anonymous',\n    integrity: '${integrity}',\n  })`;
  return {
    script: code(src, `import('${src}')`),
    tag: `<script async src="${src}" data-key="${key}"></script>`,
    pinned: code(pinnedSrc, `document.head.append(${pinned})`),
    policy: `script-src ${origin};\nconnect-src ${origin};`,
    nonce: '<script nonce="…">',
  };
}

export function developerMessage(code: InstallCode, site: { name: string; origins: readonly string[] }): string {
  const { message } = t.install;
  return [
    message.intro(site.name),
    code.script,
    message.origins(site.origins.join(', ')),
    t.install.policy,
    code.policy,
    t.install.nonce,
    code.nonce,
    t.install.tag,
    code.tag,
    t.install.pinned,
    code.pinned,
  ].join('\n\n');
}
