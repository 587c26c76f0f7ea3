/** Bundles the pages of this folder, which use the component libraries as an application does. */
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

export async function bundle(page: string): Promise<string> {
  const output = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      reportCompressedSize: false,
      cssCodeSplit: false,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: { input: join(import.meta.dirname, page), output: { codeSplitting: false } },
    },
  });
  const files = [output].flat().flatMap(each => ('output' in each ? each.output : []));
  const code = files.map(file => (file.type === 'chunk' ? file.code : '')).join('\n');
  const styles = files.map(file => (file.type === 'asset' && file.fileName.endsWith('.css') ? file.source : ''));
  return `<style>${styles.join('\n')}</style><script type="module">${code.replaceAll('</script', String.raw`<\/script`)}</script>`;
}
