// Reads the files of a pattern in the order of their paths. graphql-codegen reads them all at once and takes them as they
// arrive, so without this the order of what it generates, and with it every byte, would be a matter of luck.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatAST, parse, Source } from 'graphql';

/** `folder/*.graphql`, or `folder/**` + `/*.graphql` for folders inside it too. */
export default function inOrder(pattern) {
  const [folder = '.'] = pattern.split('/*');
  const paths = readdirSync(folder, { recursive: pattern.includes('**') })
    .map(name => join(folder, String(name)).replaceAll('\\', '/'))
    .filter(path => path.endsWith('.graphql'))
    .sort();
  return concatAST(paths.map(path => parse(new Source(readFileSync(path, 'utf8'), path))));
}
