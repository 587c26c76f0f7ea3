/** So that the server does not compress. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

export function compress(): Plugin {
  let directory = '';
  return {
    name: 'waypost-compress',
    apply: 'build',
    configResolved(config) {
      directory = path.resolve(config.root, config.build.outDir);
    },
    async closeBundle() {
      const names = await readdir(directory, { recursive: true });
      const texts = names.filter(name => /\.(html|js|css|svg|json|txt|webmanifest)$/.test(name));
      await Promise.all(
        texts.map(async name => {
          const file = path.join(directory, name);
          const text = await readFile(file);
          await writeFile(`${file}.gz`, gzipSync(text, { level: 9 }));
          await writeFile(`${file}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        }),
      );
    },
  };
}
