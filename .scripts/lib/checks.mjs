import { command, one, reportFailure, skip, suite, tool } from './suites.mjs';

const DOCUMENTED = [
  'traitql',
  'traitql-axum',
  'traitql-schema',
  'traitql-codegen',
  'traitql-cli',
  'traitql-constraints',
  'traitql-golden',
];

export async function clientChecks() {
  await suite('oxfmt', () => tool('oxfmt/bin/oxfmt', '--check'));
  await suite('graphql-codegen', () => tool('@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.yml', '--check'));
  await suite('tsc', () => tool('typescript/bin/tsc', '--project', 'client'));
  const config = ['--config', 'client/.oxlintrc.json', '--deny-warnings'];
  await suite('oxlint', () => tool('oxlint/bin/oxlint', ...config, 'client', '.scripts'));
}

export async function serverChecks() {
  await suite('cargo fmt', () => command('cargo', ['fmt', '--all', '--check']));
  await suite('deny.toml', async () => {
    // It imports npm packages, which this module must not need before they are installed.
    const { dependencyProblems } = await import('./dependencies.mjs');
    const problems = await dependencyProblems();
    if (problems.length > 0) reportFailure(problems.join('\n'));
    return one(problems.length === 0);
  });
  await suite('advisories', async () => {
    const { advisoryProblems } = await import('./advisories.mjs');
    const { problems, skipped } = await advisoryProblems();
    if (problems.length > 0) reportFailure(problems.join('\n'));
    // The other checks do not need the registry.
    const others = one(problems.length === 0);
    return skipped === null ? others : { ...skip(`advisories of npm packages: ${skipped}`), ...others };
  });
  await suite('cargo traitql check', () => command('cargo', ['traitql', 'check']));
  const clippy = ['clippy', '--locked', '--workspace', '--all-targets', '--', '--deny', 'warnings'];
  await suite('cargo clippy', () => command('cargo', clippy));
  // The toolchain's documentation is published: broken links are errors.
  const packages = DOCUMENTED.flatMap(name => ['--package', name]);
  const docs = ['doc', '--locked', '--no-deps', ...packages];
  await suite('cargo doc', () => command('cargo', docs, { RUSTDOCFLAGS: '--deny warnings' }));
}
