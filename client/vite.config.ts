/** Builds the application into client/dist, which the server embeds; serves it in development in front of the server. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const server = process.env['WAYPOST_DEV_SERVER'] ?? 'http://localhost:4000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), compress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The strict Content-Security-Policy allows no inline script; browsers that need the polyfill are not supported anyway.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/graphql', '/healthz', '/readyz', '/embed'].map(route => [route, { target: server, ws: route === '/graphql' }]),
    ),
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.spec.{ts,tsx}', 'embed/**/*.spec.ts'],
    restoreMocks: true,
  },
});

/** Writes `.br` and `.gz` beside every compressible file, so that the server never compresses at run time. */
function compress(): Plugin {
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
          await writeFile(
            `${file}.br`,
            brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
          );
        }),
      );
    },
  };
}
