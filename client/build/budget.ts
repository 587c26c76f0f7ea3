import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Loaded, with imports, before the list of tours can be used. */
const FIRST_SCREEN_MODULES = [
  'src/app/main.tsx',
  'src/app/shell/WorkspaceShell.tsx',
  'src/features/tour/ToursPage.tsx',
];

export function budget(maxGzipBytes: number): Plugin {
  return {
    name: 'waypost-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(each => each.type === 'chunk');
      const gzipSizes = new Map<string, number>();
      const addWithImports = (fileName: string) => {
        const chunk = bundle[fileName];
        if (gzipSizes.has(fileName) || chunk?.type !== 'chunk') return;
        gzipSizes.set(fileName, gzipSync(chunk.code, { level: 9 }).length);
        for (const each of chunk.imports) addWithImports(each);
      };
      for (const name of FIRST_SCREEN_MODULES) {
        const chunk = chunks.find(each => each.moduleIds.some(id => id.endsWith(`/client/${name}`)));
        if (!chunk) {
          this.error(
            `No chunk contains the first-screen module “${name}”. Update FIRST_SCREEN_MODULES in client/build/budget.ts.`,
          );
        }
        addWithImports(chunk.fileName);
      }
      const total = [...gzipSizes.values()].reduce((sum, bytes) => sum + bytes, 0);
      const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
      const largest = [...gzipSizes].sort(([, a], [, b]) => b - a).slice(0, 6);
      this.info(
        `First screen: ${kilobytes(total)} of JavaScript (gzip) in ${gzipSizes.size} files, budget ${kilobytes(maxGzipBytes)}.`,
      );
      if (total > maxGzipBytes) {
        this.error(
          `The first screen loads ${kilobytes(total)} of JavaScript (gzip); the budget is ${kilobytes(maxGzipBytes)}. Largest files: ` +
            `${largest.map(([name, bytes]) => `${name} ${kilobytes(bytes)}`).join(', ')}. Defer code that it does not need with import().`,
        );
      }
    },
  };
}
