// Writes the bill of materials (CycloneDX) and the licences of a package.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { ROOT, run, UserError } from '../processes.mjs';
import { architecture } from './artifacts.mjs';
import { sourceDate } from './versions.mjs';

/** @typedef {{ name: string, version: string, license: string, purl: string }} Material */

/**
 * Writes the bill of materials: the crates that are linked into the binary, and the npm packages of the client in it. The
 * client must have been built. Returns the path.
 * @param {{ version: string, folder: string }} options
 */
export async function billOfMaterials({ version, folder }) {
  const materials = [...(await crates()), ...packagesIn(readFileSync(join(ROOT, 'client/dist/licenses.txt'), 'utf8'))];
  const waypost = new Models.Component(Enums.ComponentType.Application, 'waypost', {
    version,
    bomRef: `waypost@${version}`,
    licenses: licensesOf('AGPL-3.0-or-later'),
  });
  const metadata = new Models.Metadata({ component: waypost, timestamp: new Date(Number(sourceDate()) * 1000) });
  const bom = new Models.Bom({ metadata });
  for (const { name, version: ofMaterial, license, purl } of materials) {
    const licenses = licensesOf(license);
    const details = { version: ofMaterial, bomRef: purl, purl, licenses };
    bom.components.add(new Models.Component(Enums.ComponentType.Library, name, details));
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  mkdirSync(folder, { recursive: true });
  // The crates depend on the platform.
  const file = join(folder, `waypost-${version}-linux-${architecture}.cdx.json`);
  writeFileSync(file, serializer.serialize(bom, { sortLists: true, space: 2 }));
  return file;
}

/** Lists the crates in the binary for the platform of this machine, without those of tests and build scripts. */
async function crates() {
  const selection = ['--package', 'waypost', '--features', 'jemalloc', '--edges', 'normal'];
  const format = ['--prefix', 'none', '--no-dedupe', '--format', '{p}|{l}'];
  const { code, output } = await run('cargo', ['tree', '--locked', ...selection, ...format], { output: 'stdout' });
  if (code !== 0) throw new UserError('cargo tree failed: see above.');
  return cratesIn(output);
}

/**
 * Reads the lines of `cargo tree`, such as `serde v1.0.0 (proc-macro)|MIT OR Apache-2.0`.
 * @returns {Material[]}
 */
export function cratesIn(tree) {
  return [...new Set(tree.trim().split('\n'))]
    .map(line => /^(\S+) v(\S+)[^|]*\|(.*)$/.exec(line) ?? [])
    .filter(([, name]) => name !== undefined && name !== 'waypost')
    .map(([, name = '', version = '', license = '']) => ({
      name,
      version,
      // Old crates separate alternatives with a slash.
      license: license.replaceAll('/', ' OR '),
      purl: `pkg:cargo/${name}@${version}`,
    }));
}

/**
 * Reads the headings of the client's licenses.txt, such as `@apollo/client 4.3.8 (MIT)`.
 * @returns {Material[]}
 */
export function packagesIn(notices) {
  return [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d\S*) \(([^)]+)\)$/gm)].map(
    ([, name = '', version = '', license = '']) => ({
      name,
      version,
      license,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    }),
  );
}

function licensesOf(expression) {
  return new Models.LicenseRepository(expression === '' ? [] : [new Models.LicenseExpression(expression)]);
}
