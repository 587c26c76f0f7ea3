/** Options and ports of the npm scripts, which are checked before anything is installed or built. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Without a PATH, a script that accepts its arguments exits because cargo is missing. */
function run(script, args, env = {}) {
  const options = { env: { PATH: '', HOME: '/nonexistent', ...env }, encoding: /** @type {const} */ ('utf8') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], options);
  return { status, stdout, stderr: stderr.trim() };
}

describe.each([
  ['npm start', 'start.mjs'],
  ['npm run dev', 'dev.mjs'],
  ['npm run check', 'check.mjs'],
  ['npm run generate', 'generate.mjs'],
])('%s', (command, script) => {
  it('rejects unknown options', () => {
    const { status, stdout, stderr } = run(script, ['--foo']);
    expect([status, stderr]).toEqual([2, `${command} has no option --foo.`]);
    expect(stdout).toContain('--help');
  });

  it('prints its help', () => {
    const { status, stdout, stderr } = run(script, ['--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split(/\n| \[/)[0]).toBe(command);
  });
});

describe.each(['start.mjs', 'dev.mjs'])('%s', script => {
  it.each([
    ['PORT', 'abc'],
    ['PORT', '0'],
    ['PORT', '99999'],
    ['WAYPOST_PROVIDER_PORT', '4000.5'],
    ['WAYPOST_PROVIDER_PORT', ''],
  ])('rejects %s=%s', (variable, value) => {
    const { status, stderr } = run(script, [], { [variable]: value });
    expect([status, stderr]).toEqual([1, `${variable} is \`${value}\`, but must be a number from 1 to 65535.`]);
  });
});

it.each([[['--foo']], [['--all', '--foo']], [['bar']]])('npm test rejects %j', args => {
  const { status, stderr } = run('test.mjs', args);
  expect([status, stderr.split('\n')[0]]).toEqual([1, `${args.at(-1)} is not a part of the tests.`]);
});

it.each([[['--foo']], [['bar']], [['archive', 'bar']]])('npm run package rejects %j', args => {
  const { status, stderr } = run('package.mjs', args);
  expect(status).toBe(1);
  expect(stderr).toContain(args.at(-1));
  expect(stderr).toContain('npm run package -- PART…');
});
