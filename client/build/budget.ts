/** Fails the build when the first screen needs more JavaScript than the budget, and says where it goes. */
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** What loads before the list of tours can be used: these modules, and what they import. */
const FIRST_SCREEN = ['src/app/main.tsx', 'src/app/shell/WorkspaceShell.tsx', 'src/features/tour/ToursPage.tsx'];

export function budget(maxGzipBytes: number): Plugin {
  return {
    name: 'waypost-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(each => each.type === 'chunk');
      const needed = new Map<string, number>();
      const need = (fileName: string) => {
        const chunk = bundle[fileName];
        if (needed.has(fileName) || chunk?.type !== 'chunk') return;
        needed.set(fileName, gzipSync(chunk.code, { level: 9 }).length);
        for (const each of chunk.imports) need(each);
      };
      for (const name of FIRST_SCREEN) {
        const chunk = chunks.find(each => each.moduleIds.some(id => id.endsWith(`/client/${name}`)));
        if (!chunk) this.error(`The budget of the first screen names “${name}”, which is in no file of the build.`);
        need(chunk.fileName);
      }
      const total = [...needed.values()].reduce((sum, bytes) => sum + bytes, 0);
      const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
      const largest = [...needed].sort(([, a], [, b]) => b - a).slice(0, 6);
      this.info(
        `First screen: ${kilobytes(total)} of JavaScript (gzip) in ${needed.size} files, budget ${kilobytes(maxGzipBytes)}.`,
      );
      if (total > maxGzipBytes) {
        this.error(
          `The first screen needs ${kilobytes(total)} of JavaScript (gzip), more than ${kilobytes(maxGzipBytes)}. Its largest files: ` +
            `${largest.map(([name, bytes]) => `${name} ${kilobytes(bytes)}`).join(', ')}. Load what it does not need with import().`,
        );
      }
    },
  };
}
