// Implements `npm run package`.

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildClient, buildServer, installPackages } from './build.mjs';
import { exitWithError, TARGET, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const HELP = `npm run package -- PART… [--binary FILE] [--tag TAG]

Builds artifacts of a release in target/package:
  archive      the binary, the licenses and server/packaging as .tar.gz
  debian       the Debian package
  image        the container image, for docker load and podman load
  materials    a bill of materials (CycloneDX): all crates and npm packages in the binary
  checksums    SHA256SUMS of all files in target/package

Prints:
  changes      the section of the version in CHANGELOG.md
  version      the version, if all files and the tag agree

  --binary FILE   a compiled waypost [default: builds the client and a release]
  --tag TAG       the tag of the release, such as v0.1.0`;

const PARTS = new Set(['archive', 'debian', 'image', 'materials', 'checksums', 'changes', 'version']);

const FOLDER = join(TARGET, 'package');

try {
  const { positionals: parts, values } = readArguments();
  await requireCompilers('npm run package');
  await installPackages();
  // These modules import npm packages.
  const artifacts = await import('./packaging/artifacts.mjs');
  const { billOfMaterials } = await import('./packaging/materials.mjs');
  const { changesOf, projectVersion, versionProblems } = await import('./packaging/versions.mjs');

  const version = projectVersion();
  const common = { version, folder: FOLDER };
  /** @type {Promise<string> | undefined} */
  let built;
  const binary = () => (built ??= values.binary ? Promise.resolve(resolve(values.binary)) : build());
  const tag = `localhost/waypost:${version}`;
  /** @type {Record<string, () => unknown>} */
  const work = {
    archive: async () => artifacts.buildArchive({ ...common, binary: await binary() }),
    debian: async () => artifacts.buildDebianPackage({ ...common, binary: await binary() }),
    image: async () => {
      await artifacts.buildImage({ version, tag, binary: await binary() });
      return artifacts.saveImage({ ...common, tag });
    },
    materials: async () => {
      await buildClient();
      return billOfMaterials(common);
    },
    checksums: () => artifacts.writeChecksums(FOLDER),
    changes: () => changesOf(version),
    version: () => {
      const problems = versionProblems();
      if (values.tag !== undefined && values.tag !== `v${version}`)
        problems.push(`The tag is ${values.tag}, but Cargo.toml has the version ${version}.`);
      if (problems.length > 0) throw new UserError(problems.join('\n'));
      return version;
    },
  };
  for (const part of parts) console.log(await work[part]?.());
} catch (error) {
  exitWithError(error);
}

function readArguments() {
  try {
    const options = /** @type {const} */ ({
      binary: { type: 'string' },
      tag: { type: 'string' },
      help: { type: 'boolean' },
    });
    const parsed = parseArgs({ allowPositionals: true, options });
    if (parsed.values.help) {
      console.log(HELP);
      process.exit(0);
    }
    const unknown = parsed.positionals.find(part => !PARTS.has(part));
    if (unknown !== undefined) throw new UserError(`${unknown} is not a part of a release.\n\n${HELP}`);
    if (parsed.positionals.length === 0) throw new UserError(HELP);
    return parsed;
  } catch (error) {
    // parseArgs reports unknown options as TypeError.
    throw error instanceof TypeError ? new UserError(`${error.message}\n\n${HELP}`) : error;
  }
}

async function build() {
  await buildClient();
  return buildServer('release');
}
