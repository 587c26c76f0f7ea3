/** `worker.js`, with all hashed files to cache. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export function serviceWorker(): Plugin {
  return {
    name: 'waypost-service-worker',
    apply: 'build',
    generateBundle: {
      // Vite removes chunks that contain only styles, and a listed file that is missing fails the installation.
      order: 'post',
      handler(_, bundle) {
        const FILES = Object.keys(bundle)
          .filter(name => name.startsWith('assets/'))
          .map(name => `/${name}`)
          .sort();
        const code = readFileSync(join(import.meta.dirname, 'worker.js'), 'utf8');
        const CACHE = `waypost-${createHash('sha256').update(code).update(FILES.join()).digest('hex').slice(0, 16)}`;
        const source = `self.WAYPOST = ${JSON.stringify({ CACHE, FILES })};\n${code}`;
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
      },
    },
  };
}
