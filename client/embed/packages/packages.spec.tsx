import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cleanup, render } from '@testing-library/react';
import { StrictMode, type ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type * as browserPackage from './browser/src/index';
import type { Waypost as Api } from './browser/src/types';

type BrowserPackage = typeof browserPackage;
interface ReactPackage extends BrowserPackage {
  Waypost: ComponentType<{
    siteKey: string;
    origin: string;
    user?: string | null;
    traits?: Record<string, string>;
    page?: string;
  }>;
}

const PACKAGES = import.meta.dirname;
const MODULES = join(PACKAGES, '../../../node_modules');
let project: string;
let packages: { browser: BrowserPackage; react: ReactPackage };

beforeAll(async () => {
  mkdirSync(join(MODULES, '.cache'), { recursive: true });
  project = mkdtempSync(join(MODULES, '.cache/packed-'));
  const install = (name: string) => {
    const folder = join(PACKAGES, name);
    const output = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', project], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [, file = ''] = /"filename": "([^"]+)"/.exec(output) ?? [];
    const target = join(project, 'node_modules/@waypost', name);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(project, file), '-C', target, '--strip-components=1']);
    return pathToFileURL(join(target, 'dist/index.js')).href;
  };
  const browser = install('browser');
  const react = install('react');
  packages = { browser: await import(/* @vite-ignore */ browser), react: await import(/* @vite-ignore */ react) };
  // Two compilations and two archives.
}, 120_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

// The server is not available.
beforeEach(() => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch'))));

afterEach(() => {
  vi.unstubAllGlobals();
  cleanup();
  delete window.waypost;
});

function loadScript(): string[] {
  const calls: string[] = [];
  const api = new Proxy({} as Api, {
    has: () => true,
    get: (_, name: string) => {
      if (name === 'push') return (call: (waypost: Api) => void) => call(api);
      return (...args: unknown[]) => void calls.push(`${name} ${JSON.stringify(args)}`);
    },
  });
  const queue = window.waypost;
  window.waypost = api;
  if (Array.isArray(queue)) for (const call of queue) call(api);
  return calls;
}

const site = { key: 'wp_pub_1', origin: 'http://localhost:1' };

it('compile in a strict project', () => {
  writeFileSync(
    join(project, 'index.tsx'),
    `import { explain, identify, init, type Obstacle } from '@waypost/browser';
     import { useTourEvents, Waypost } from '@waypost/react';
     init({ key: 'k', origin: 'o' });
     identify('user-7', { traits: { plan: 'pro' } });
     identify('user-7', { token: 'x' });
     // @ts-expect-error -- a token is a text
     identify('user-7', { token: 7 });
     export const obstacle: Obstacle | null = explain('tour');
     export function App() {
       useTourEvents(({ tour, kind }) => void [tour, kind]);
       return <Waypost siteKey="k" origin="o" user={null} />;
     }`,
  );
  const options = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--jsx',
    'react-jsx',
  ];
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace('package.json', 'bin/tsc');
  const args = [tsc, ...options, '--lib', 'es2022,dom', '--types', 'react', 'index.tsx'];
  expect(() => execFileSync(process.execPath, args, { cwd: project, stdio: 'pipe' })).not.toThrow();
});

it('call the script in order when it has loaded', () => {
  const { browser } = packages;
  browser.identify('user-7', { traits: { plan: 'pro' } });
  browser.init(site);
  expect(browser.explain('tour')).toBe('NOT_LOADED');
  const calls = loadScript();
  browser.start('tour');
  expect(calls).toEqual([
    'identify ["user-7",{"traits":{"plan":"pro"}}]',
    'init [{"key":"wp_pub_1","origin":"http://localhost:1"}]',
    'start ["tour"]',
  ]);
});

it('do nothing during server rendering', () => {
  const { browser, react } = packages;
  vi.stubGlobal('window', undefined);
  expect(renderToString(<react.Waypost siteKey="k" origin={site.origin} />)).toBe('');
  browser.init(site);
  expect(browser.explain('tour')).toBe('NOT_LOADED');
  vi.unstubAllGlobals();
  expect(window.waypost).toBeUndefined();
});

it('follow the properties of the component, also in strict mode', () => {
  const { react } = packages;
  const calls = loadScript();
  const app = (user: string | null, page = '/orders') => (
    <StrictMode>
      <react.Waypost siteKey="k" origin={site.origin} user={user} traits={{ plan: 'pro' }} page={page} />
    </StrictMode>
  );
  const { rerender } = render(app('ada'));
  const first = new Set(calls);
  expect([...first].map(call => call.split(' ', 1)[0])).toEqual(['identify', 'setLocale', 'setPage', 'init']);
  calls.length = 0;
  rerender(app('ada'));
  expect(calls).toEqual([]);
  rerender(app(null));
  expect(calls).toEqual(['reset []', 'identify [null,{"traits":{"plan":"pro"}}]']);
  calls.length = 0;
  rerender(app(null, '/orders/7'));
  expect(calls).toEqual(['setPage ["/orders/7"]']);
});
