// The code that customers add to their pages, and the message for a developer.

import type { InstanceQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/site';

export type EmbedScript = NonNullable<InstanceQuery['instance']['embed']>;

export interface InstallCode {
  script: string;
  /** One version, with Subresource Integrity. */
  pinned: string;
  policy: string;
  browser: string;
  react: string;
}

export function installCode({ src, pinnedSrc, integrity }: EmbedScript, key: string): InstallCode {
  const { origin } = new URL(src);
  return {
    script: `<script async src="${src}" data-key="${key}"></script>`,
    pinned: `<script async src="${pinnedSrc}" data-key="${key}"\n  integrity="${integrity}" crossorigin="anonymous"></script>`,
    policy: `script-src ${origin};\nconnect-src ${origin};`,
    browser: `npm install @waypost/browser\n\nimport { init } from '@waypost/browser';\ninit({ key: '${key}', origin: '${origin}' });`,
    react: `npm install @waypost/react\n\nimport { Waypost } from '@waypost/react';\n<Waypost siteKey="${key}" origin="${origin}" />`,
  };
}

export function developerMessage(code: InstallCode, site: { name: string; origins: readonly string[] }): string {
  const { message } = t.install;
  return [
    message.intro(site.name),
    code.script,
    message.origins(site.origins.join(', ')),
    message.policy,
    code.policy,
    message.pinned,
    code.pinned,
    message.packages,
    code.browser,
  ].join('\n\n');
}
