import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a service, and a command with a child process, and prints the process IDs. */
const SCRIPT = `
import { run, startService, stopOnSignals } from '${join(import.meta.dirname, 'lib/processes.mjs')}';
const idle = 'console.log(process.pid); setInterval(() => {}, 1000);';
const parent = "require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], { stdio: 'inherit' });";
stopOnSignals();
startService(process.execPath, ['-e', idle], { onLine: line => console.log(line) });
await run(process.execPath, ['-e', parent + idle, idle]);
`;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s stops services and commands before they are ready', async signal => {
  const script = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  script.stdout.on('data', text => (printed += text));
  const running = () => printed.split('\n').filter(Boolean).map(Number).filter(isRunning);
  onTestFinished(() => running().forEach(pid => process.kill(pid)));
  await expect.poll(() => running().length).toBe(3);
  const exit = new Promise(resolve => script.once('exit', resolve));
  script.kill(signal);
  expect(await exit).toBe(0);
  await expect.poll(running).toEqual([]);
});

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
