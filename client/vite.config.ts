/// <reference types="vitest/config" />
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { budget } from './build/budget.ts';
import { compress } from './build/compress.ts';
import { embed } from './build/embed.ts';
import { licenses } from './build/licenses.ts';
import { preload } from './build/preload.ts';
import { serviceWorker } from './build/service-worker.ts';

const server = process.env['WAYPOST_DEV_SERVER'] ?? 'http://localhost:4000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), budget(220_000), preload(), serviceWorker(), embed(), licenses(), compress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The strict Content-Security-Policy allows no inline script; browsers that need the polyfill are not supported
    // anyway.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // budget() reports chunks that are too large.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Modules that load together share a chunk, because a phone loads a few large files faster than many small
          // ones.
          groups: [
            { name: 'begin', tags: ['$initial'], priority: 1 },
            {
              name: 'first-screen',
              test: /src[\\/](?:app[\\/]shell[\\/]WorkspaceShell|features[\\/]tour[\\/]ToursPage)\.tsx$/,
            },
          ],
        },
      },
    },
  },
  // Selects the ES2015 build of rxjs, because supported browsers do not need the helpers of the ES5 build.
  resolve: { conditions: ['es2015', ...defaultClientConditions] },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/graphql', '/e/', '/t/', '/embed/', '/auth/sign-out', '/healthz', '/readyz', '/licenses.txt'].map(route => [
        route,
        { target: server, ws: route === '/graphql' },
      ]),
    ),
  },
  test: {
    environment: 'happy-dom',
    include: ['{src,embed,build}/**/*.spec.{ts,tsx}', '../.scripts/**/*.spec.mjs'],
    restoreMocks: true,
    // Generous, so that tests do not fail on a busy machine.
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
