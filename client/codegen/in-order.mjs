// Loads the files of a pattern in the order of their paths, so that the output is deterministic. graphql-codegen's own
// loader reads them concurrently.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatAST, parse, Source } from 'graphql';

/** Loads `folder/*.graphql`, or `folder/**` + `/*.graphql` with subfolders. */
export default function inOrder(pattern) {
  const [folder = '.'] = pattern.split('/*');
  const paths = readdirSync(folder, { recursive: pattern.includes('**') })
    .map(name => join(folder, String(name)).replaceAll('\\', '/'))
    .filter(path => path.endsWith('.graphql'))
    .sort();
  return concatAST(paths.map(path => parse(new Source(readFileSync(path, 'utf8'), path))));
}
