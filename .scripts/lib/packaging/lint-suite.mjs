// Checks the compose files, workflows and proxy configurations that the other suites cannot run.

import { join } from 'node:path';
import { requirePrograms } from '../debian.mjs';
import { output, run, UserError } from '../processes.mjs';
import { pythonEnvironment } from '../python.mjs';
import { inOrder } from '../suites.mjs';
import { NPM_PACKAGES } from './versions.mjs';

/** Checks files that fail only when they are used: by a shell, a runner of workflows, or a package registry. */
export async function lintPackaging() {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const programs = await pythonEnvironment({
    name: 'linters',
    requirements,
    purpose: 'The checks of packaging require linters',
  });
  await requirePrograms({ shellcheck: 'shellcheck' });
  const python = (name, ...args) => must(join(programs, 'python'), [join(programs, name), ...args]);

  return inOrder({
    'shell scripts': () => must('shellcheck', files(/\.sh$|\/(?:pre|post)(?:inst|rm)$/)),
    Containerfiles: () => must(join(programs, 'hadolint'), files(/Containerfile$/)),
    'compose files': () =>
      python('check-jsonschema', '--builtin-schema=vendor.compose-spec', ...files(/compose[\w.]*\.yml$/)),
    // It checks the scripts of workflows with shellcheck.
    workflows: () => python('actionlint', '-no-color'),
    'npm packages': async () => {
      for (const folder of NPM_PACKAGES) {
        // It builds the package, which publint does not.
        await must('npm', ['pack', '--dry-run', `./${folder}`]);
        await must(process.execPath, ['node_modules/publint/src/cli.js', 'run', folder, '--strict', '--pack=npm']);
      }
    },
  });
}

function files(pattern) {
  const tracked = output('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'server/packaging']) ?? '';
  return tracked
    .trim()
    .split('\n')
    .filter(file => pattern.test(file));
}

async function must(program, args) {
  const { code, output: text } = await run(program, args, { output: 'collect' });
  if (code !== 0) throw new UserError(`${program} ${args.join(' ')} exited with ${code}:\n${text}`);
}
