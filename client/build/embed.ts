import { createHash } from 'node:crypto';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';

const CLIENT = join(import.meta.dirname, '..');
/** All other folders, and intro.js, are under AGPL-3.0. */
const FREE_FOLDER = join(CLIENT, 'embed') + sep;

/** Bytes (gzip). */
const BUDGETS = { loader: 4000, player: 19_500 };

type Part = keyof typeof BUDGETS;

/** Browsers with V8 then compile the loader while it is received, and not function by function on the main thread. */
const HINTS: Record<Part, string> = { loader: '//# allFunctionsCalledOnLoad\n', player: '' };

export interface EmbedFile {
  file: string;
  /** Subresource Integrity. */
  integrity: string;
  code: string;
  gzipBytes: number;
  modules: readonly string[];
}

async function buildPart(part: Part, define: Record<string, string>): Promise<EmbedFile> {
  const entry = join(CLIENT, 'embed', `${part}.ts`);
  const output = await build({
    root: join(CLIENT, 'embed'),
    configFile: false,
    logLevel: 'warn',
    define,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      ...(part === 'loader'
        ? // A classic script, because only those know their own tag, where the page declares its site.
          { lib: { entry, formats: ['iife'], name: 'waypostLoader' } }
        : { rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' } }),
    },
  });
  const chunks = [output].flat().flatMap(each => ('output' in each ? each.output : []));
  const [chunk, ...others] = chunks;
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error(`The embed's ${part} must be one file.`);
  const code = HINTS[part] + chunk.code;
  const modules = chunk.moduleIds.map(id => id.split('?', 1)[0] ?? id).filter(id => !id.startsWith('\0'));
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`;
  const gzipBytes = gzipSync(code, { level: 9 }).length;
  return { file: `${part}-${hash}.js`, integrity, code, gzipBytes, modules };
}

/** Returns a sentence for each violation of the budgets and of the licenses. */
export function embedProblems(files: Readonly<Record<Part, EmbedFile>>): string[] {
  return (Object.keys(BUDGETS) as Part[]).flatMap(part => {
    const { gzipBytes, modules } = files[part];
    const foreign = modules.filter(id => !id.startsWith(FREE_FOLDER));
    return [
      ...(gzipBytes > BUDGETS[part]
        ? [`The embed's ${part} has ${gzipBytes} bytes (gzip); the budget is ${BUDGETS[part]}.`]
        : []),
      ...foreign.map(id => `The embed's ${part} contains ${id}, which is not licensed under MIT or Apache-2.0.`),
    ];
  });
}

export async function buildEmbed(): Promise<Record<Part, EmbedFile>> {
  const player = await buildPart('player', {});
  const loader = await buildPart('loader', { PLAYER_FILE: JSON.stringify(player.file) });
  return { loader, player };
}

export function embed(): Plugin {
  return {
    name: 'waypost-embed',
    apply: 'build',
    async generateBundle() {
      const files = await buildEmbed();
      const problems = embedProblems(files);
      if (problems.length > 0) this.error(problems.join('\n'));
      for (const { file, code } of Object.values(files))
        this.emitFile({ type: 'asset', fileName: `embed/${file}`, source: code });
      const manifest = Object.fromEntries(
        Object.entries(files).map(([part, { file, integrity }]) => [part, { file, integrity }]),
      );
      this.emitFile({ type: 'asset', fileName: 'embed/manifest.json', source: JSON.stringify(manifest) });
      const sizes = Object.entries(files).map(([part, { gzipBytes }]) => `${part} ${(gzipBytes / 1000).toFixed(1)} kB`);
      this.info(`Embed (gzip): ${sizes.join(', ')}.`);
    },
  };
}
