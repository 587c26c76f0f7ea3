// Builds the archive, the Debian package and the image of a release, with their checksums.

import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { requirePrograms } from '../debian.mjs';
import { output, ROOT, run, runOrFail, UserError } from '../processes.mjs';
import { sourceDate } from './versions.mjs';

const PACKAGING = join(ROOT, 'server/packaging');

const CHECKSUMS = 'SHA256SUMS';

const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' };

export const architecture = ARCHITECTURES[arch()] ?? arch();

/**
 * Writes the binary, the licenses and the files of server/packaging to an archive, and returns its path.
 * @param {{ binary: string, version: string, folder: string }} options
 */
export async function buildArchive({ binary, version, folder }) {
  const name = `waypost-${version}-linux-${architecture}`;
  const temporary = mkdtempSync(join(tmpdir(), 'waypost-archive-'));
  try {
    const root = join(temporary, name);
    cpSync(PACKAGING, join(root, 'packaging'), { recursive: true });
    for (const file of ['CHANGELOG.md', 'LICENSE', 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md'])
      copyFileSync(join(ROOT, file), join(root, file));
    copyFileSync(binary, join(root, 'waypost'));
    chmodSync(join(root, 'waypost'), 0o755);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}.tar.gz`);
    const reproducible = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=go=u-w'];
    const args = ['--create', '--file', file, '--use-compress-program=gzip --no-name', ...reproducible];
    await runOrFail('Writing the archive', 'tar', [
      ...args,
      `--mtime=@${sourceDate()}`,
      '--directory',
      temporary,
      name,
    ]);
    return file;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Builds the Debian package, and returns its path.
 * @param {{ binary: string, version: string, folder: string }} options
 */
export async function buildDebianPackage({ binary, version, folder }) {
  await requirePrograms({ 'dpkg-shlibdeps': 'dpkg-dev', objdump: 'binutils' });
  const printed = await script('debian/build.sh', [binary, version, folder], {});
  return printed.trim();
}

/**
 * Builds the container image `tag` in the local storage.
 * @param {{ binary: string, version: string, tag: string, env?: Record<string, string> }} options
 */
export async function buildImage({ binary, version, tag, env = {} }) {
  await requirePrograms({ buildah: 'buildah', mmdebstrap: 'mmdebstrap' });
  const revision = output('git', ['rev-parse', 'HEAD'])?.trim() ?? 'unknown';
  await script('image/build.sh', [binary, version, tag], { REVISION: revision, ...env });
}

/** Writes the image to a file that `docker load` and `podman load` read, and returns its path. */
export async function saveImage({ version, tag, folder, env = {} }) {
  await requirePrograms({ skopeo: 'skopeo' });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `waypost-${version}-image-${architecture}.tar`);
  rmSync(file, { force: true });
  const to = `docker-archive:${file}:waypost:${version}`;
  await runOrFail('Saving the image', 'skopeo', ['copy', '--quiet', `containers-storage:${tag}`, to], { env });
  return file;
}

/** Writes the SHA-256 checksums of all files in the folder, in the format of `sha256sum --check`. */
export function writeChecksums(folder) {
  const files = readdirSync(folder).filter(name => name !== CHECKSUMS);
  const lines = files.toSorted().map(name => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(folder, CHECKSUMS), lines.join(''));
}

async function script(path, args, env) {
  const { code, output: text } = await run(join(PACKAGING, path), args, {
    env: { SOURCE_DATE_EPOCH: sourceDate(), ...env },
    output: 'collect',
  });
  if (code !== 0) throw new UserError(`server/packaging/${path} failed:\n${text}`);
  return text;
}
