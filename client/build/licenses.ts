import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** `dependencies`, because `npm start` needs them, but not part of the application. */
const TOOLS = new Set([
  '@tailwindcss/vite',
  '@vitejs/plugin-react',
  'oidc-provider',
  'spdx-satisfies',
  'tailwindcss',
  'vite',
]);

const NOTICE = /^(?:licen[cs]e|copying|copyright|notice)/i;

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

function folderOf(name: string, from: string): string | null {
  const folder = path.join(from, 'node_modules', name);
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  return path.dirname(from) === from ? null : folderOf(name, path.dirname(from));
}

function collect(folder: string, found: Map<string, string>): void {
  for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
    const dependency = folderOf(name, folder);
    // Not part of the application.
    if (dependency === null || name.startsWith('@types/') || TOOLS.has(name)) continue;
    const { version, license } = readManifest(dependency);
    const title = `${name} ${version} (${license ?? 'no license declared'})`;
    if (found.has(title)) continue;
    const files = readdirSync(dependency)
      .filter(file => NOTICE.test(file))
      .toSorted();
    const texts = files.map(file => readFileSync(path.join(dependency, file), 'utf8').trim());
    found.set(title, texts.join('\n\n'));
    collect(dependency, found);
  }
}

/** Packages with the same text share it. */
export function packageNotices(root: string): string {
  const found = new Map<string, string>();
  collect(root, found);
  const byText = new Map<string, string[]>();
  for (const [title, text] of found) byText.set(text, [...(byText.get(text) ?? []), title]);
  const notices = [...byText].map(([text, titles]) => `${titles.toSorted().join('\n')}\n\n${text}\n`);
  return notices.toSorted().join('\n');
}

export function licenses(): Plugin {
  let directory = '';
  let root = '';
  return {
    name: 'waypost-licenses',
    apply: 'build',
    configResolved(config) {
      root = path.dirname(config.root);
      directory = path.resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      await writeFile(path.join(directory, 'licenses.txt'), packageNotices(root));
    },
  };
}
