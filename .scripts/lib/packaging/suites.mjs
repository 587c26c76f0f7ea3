// Runs the suites of packaging, each in its own folder, and skips those that this machine cannot run.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namespaceProblem } from '../namespace.mjs';
import { output, runOrFail, UserError } from '../processes.mjs';
import { inOrder, skip, suite } from '../suites.mjs';
import { buildArchive, buildDebianPackage, buildImage, writeChecksums } from './artifacts.mjs';
import { testDebianPackage } from './debian-suite.mjs';
import { equal } from './expect.mjs';
import { testImage } from './image-suite.mjs';
import { billOfMaterials } from './materials.mjs';
import { projectVersion } from './versions.mjs';

/** A lower version than any release, for the test of updates. */
const PREVIOUS = '0.0.1';

/**
 * Builds the artifacts of a release, and uses them.
 * @param {string} binary a compiled waypost
 */
export async function packagingSuites(binary) {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-packaging-'));
  const version = projectVersion();
  const problem = namespaceProblem();
  try {
    await suite('artifacts', () => testArtifacts({ binary, version, folder }));
    await suite('Debian package', async () => {
      if (problem !== null) return skip(problem);
      const current = await identical(folder, target => buildDebianPackage({ binary, version, folder: target }));
      const previous = await buildDebianPackage({ binary, version: PREVIOUS, folder });
      return testDebianPackage({ previous, current, folder });
    });
    await suite('container image', async () => {
      if (problem !== null) return skip(problem);
      const tag = `localhost/waypost:${version}`;
      const env = { CONTAINERS_STORAGE_CONF: temporaryStorage(folder) };
      await buildImage({ binary, version, tag, env });
      return testImage({ version, tag, folder, env });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the configuration of a storage for images and containers in the folder. */
function temporaryStorage(folder) {
  const file = join(folder, 'storage.conf');
  const [images, state] = ['images', 'state'].map(name => join(folder, name));
  writeFileSync(file, `[storage]\ndriver = "overlay"\ngraphroot = "${images}"\nrunroot = "${state}"\n`);
  return file;
}

/** Builds an artifact twice, and returns the path of the first one. Throws a `UserError` if they differ. */
async function identical(folder, build) {
  const [first, second] = [await build(join(folder, 'first')), await build(join(folder, 'second'))];
  if (readFileSync(first).equals(readFileSync(second))) return first;
  throw new UserError(`Two builds of the same binary differ: ${first} and ${second}.`);
}

/** @returns {Promise<import('../suites.mjs').Count>} */
function testArtifacts({ binary, version, folder }) {
  const first = join(folder, 'first');
  return inOrder({
    'archives of the same binary are identical': () =>
      identical(folder, target => buildArchive({ binary, version, folder: target })),
    'the archive has the program and the files of packaging': async () => {
      const name = readdirSync(first).find(file => file.endsWith('.tar.gz')) ?? '';
      await runOrFail('Unpacking', 'tar', ['--extract', '--file', join(first, name), '--directory', folder]);
      const root = join(folder, name.replace('.tar.gz', ''));
      equal(output(join(root, 'waypost'), ['--version']), `waypost ${version}\n`);
      for (const file of ['packaging/compose.yml', 'packaging/image/Containerfile', 'LICENSE'])
        readFileSync(join(root, file));
    },
    'the bill of materials has crates and npm packages with licenses': async () => {
      const { components } = JSON.parse(readFileSync(await billOfMaterials({ version, folder: first }), 'utf8'));
      for (const [purl, license] of [
        ['pkg:cargo/axum@', 'MIT'],
        ['pkg:npm/react@', 'MIT'],
      ]) {
        const found = components.find(each => each.purl.startsWith(purl));
        equal(found?.licenses[0].expression, license);
      }
      equal(
        components.find(each => each.name === 'vitest'),
        undefined,
      );
    },
    'sha256sum accepts the checksums': async () => {
      writeChecksums(first);
      await runOrFail('Checking the checksums', 'sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], {
        cwd: first,
      });
    },
  });
}
