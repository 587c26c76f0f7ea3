/** Stopping commands and services on a signal, and the message for a port in use. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireFreePort } from './lib/processes.mjs';

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

test('a port in use is reported with a command that uses another one, unless the port is fixed', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const problem = `Port ${port}, for Vite, is in use. Stop the process that uses it`;
  await expect(requireFreePort(port, 'Vite')).rejects.toThrow(new RegExp(`^${problem}\\.$`));
  await expect(requireFreePort(port, 'Vite', { variable: 'PORT', command: 'npm run dev' })).rejects.toThrow(
    new RegExp(`^${problem}, or choose another port: PORT=\\d+ npm run dev$`),
  );
});

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
