// Executes the code blocks of a README and compares the results. The info string of a block, after the language,
// selects its meaning:
//
//   file=PATH      writes the block to a file             run       runs commands, which must succeed
//   append=PATH    appends the block to a file            fails     runs a command, which must fail
//   remove=PATH    removes the lines from a file          prints    lines that the last command must have printed
//   serve          starts a server, which prints its address and keeps running
//   query          sends an operation to the server       response  the expected response, as JSON
//   subscribe      sends a subscription, whose response is a list of events
//
// Other blocks are not executed.

import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { run, UserError } from './processes.mjs';

/**
 * Executes a README. Throws a `UserError` at the first difference.
 * @param {string} readme the name of the README in messages
 * @param {string} markdown its text
 * @param {object} options
 * @param {string} options.cwd
 * @param {Record<string, string>} [options.env]
 * @param {(folder: string) => Promise<void>} [options.enter] called with each folder that the README changes to
 * @param {boolean} [options.denyWarnings] fails if a command prints a warning
 * @returns {Promise<{ passed: number, failed: number }>} one test for each command, request and expected output
 */
export async function runReadme(readme, markdown, { cwd, env = {}, enter, denyWarnings = false }) {
  let folder = cwd;
  let printed = '';
  let response;
  let server;
  let passed = 0;
  const fail = problem => {
    throw new UserError(`${readme}: ${problem}`);
  };

  async function command(line, succeeds) {
    const [program, ...args] = line.split(' ');
    if (program === 'cd') {
      folder = join(folder, args[0]);
      await enter?.(folder);
      return;
    }
    const { code, output } = await run(program, args, { cwd: folder, env, output: 'both' });
    printed = output;
    if ((code === 0) !== succeeds) fail(`\`${line}\` ${succeeds ? 'failed' : 'did not fail'}: see above.`);
    if (denyWarnings && succeeds && /^warning/m.test(output)) fail(`\`${line}\` printed a warning: see above.`);
    passed += 1;
  }

  function request(query, accept) {
    if (!server) return fail('a query comes before the first `serve` block.');
    return fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  }

  const steps = {
    file: (text, path) => write(join(folder, path), text, writeFileSync),
    append: (text, path) => write(join(folder, path), text, appendFileSync),
    remove(text, path) {
      const removed = text.split('\n').filter(Boolean);
      const lines = readFileSync(join(folder, path), 'utf8').split('\n');
      for (const line of removed)
        if (!lines.includes(line)) fail(`cannot remove \`${line.trim()}\` from ${path}, which does not contain it.`);
      writeFileSync(join(folder, path), lines.filter(line => !removed.includes(line)).join('\n'));
    },
    async run(text) {
      for (const line of text.trim().split('\n')) await command(line, true);
    },
    fails: text => command(text.trim(), false),
    prints(text) {
      for (const line of text.trim().split('\n'))
        if (!printed.includes(line.trim())) fail(`the output of the last command does not contain \`${line.trim()}\`.`);
      passed += 1;
    },
    async serve(text) {
      await server?.stop();
      server = await serve(text.trim(), folder, env);
      passed += 1;
    },
    async query(text) {
      response = await (await request(text, 'application/json')).json();
      if (response.errors) fail(`the operation\n${text}failed:\n${JSON.stringify(response, null, 2)}`);
      passed += 1;
    },
    async subscribe(text) {
      const stream = await request(text, 'multipart/mixed; subscriptionSpec=1.0');
      const parts = (await stream.text()).split(/^--graphql(?:--)?\r?$/m);
      // Skips the headers of each part.
      const events = parts
        .map(part => part.slice(part.indexOf('\r\n\r\n')).trim())
        .filter(part => part.startsWith('{'));
      response = events.map(event => JSON.parse(event).payload).filter(Boolean);
      if (response.length === 0) fail(`the subscription\n${text}returned no event.`);
      passed += 1;
    },
    response(text) {
      if (!isDeepStrictEqual(response, JSON.parse(text)))
        fail(`the expected response is\n${text}but the server returned\n${JSON.stringify(response, null, 2)}`);
      passed += 1;
    },
  };

  try {
    for (const { kind, path, text } of blocksOf(markdown)) await steps[kind](text, path);
  } finally {
    await server?.stop();
  }
  if (passed === 0) fail('no code block has an info string to execute.');
  return { passed, failed: 0 };
}

function blocksOf(markdown) {
  const block =
    /^```\w+ (?:(append|file|remove)=(\S+)|(run|fails|prints|serve|query|subscribe|response))\n([\s\S]*?)^```$/gm;
  return [...markdown.matchAll(block)].map(([, kind, path, word, text]) => ({ kind: kind ?? word, path, text }));
}

function write(file, text, writer) {
  mkdirSync(dirname(file), { recursive: true });
  writer(file, text);
}

function serve(line, cwd, env) {
  const [program, ...args] = line.split(' ');
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise(resolve => child.once('close', resolve));
  const stop = async () => {
    child.kill('SIGINT');
    await exited;
  };
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('error', reject);
    child.once('close', code =>
      reject(new UserError(`\`${line}\` exited with code ${code} before it printed an address.`)),
    );
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text;
      const address = /http:\/\/\S+/.exec(printed)?.[0];
      if (address) resolve({ address, stop });
    });
  });
}
