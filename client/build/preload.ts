import type { HtmlTagDescriptor, Plugin } from 'vite';

/** The first-screen chunk of vite.config.ts, and the font for Latin characters. */
const PRELOADED: readonly [RegExp, Record<string, string | boolean>][] = [
  [/^assets\/first-screen-.*\.js$/, { rel: 'modulepreload', crossorigin: true }],
  [
    /^assets\/figtree-latin-wght-normal-.*\.woff2$/,
    { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true },
  ],
];

export function preload(): Plugin {
  return {
    name: 'waypost-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        PRELOADED.flatMap(([name, attrs]) => {
          const files = Object.keys(bundle).filter(each => name.test(each));
          if (files.length === 0) {
            throw new Error(
              `No file of the build matches ${name.source}, which client/build/preload.ts adds to index.html.`,
            );
          }
          return files.map((file): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: { ...attrs, href: `/${file}` },
            injectTo: 'head',
          }));
        }),
    },
  };
}
