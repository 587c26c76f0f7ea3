/** Names in index.html what the first screen needs beside the entry, so that it comes with the entry and not after that has run. */
import type { HtmlTagDescriptor, Plugin } from 'vite';

/** The chunk of `codeSplitting` in vite.config.ts, and the letters of nearly every text. */
const NEEDED: readonly [RegExp, Record<string, string | boolean>][] = [
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
        NEEDED.flatMap(([name, attrs]) => {
          const files = Object.keys(bundle).filter(each => name.test(each));
          if (files.length === 0)
            throw new Error(`index.html should name a file like ${name.source}, and the build has made none.`);
          return files.map((file): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: { ...attrs, href: `/${file}` },
            injectTo: 'head',
          }));
        }),
    },
  };
}
