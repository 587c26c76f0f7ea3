// Follows a README to the letter: does what its code blocks say, and checks what they promise. The first line of a block
// says what it is for:
//
//   file=PATH      the block is the file            run      commands that succeed
//   append=PATH    the block goes to its end        fails    a command that fails
//   remove=PATH    its lines go out of the file     says     lines that the last command printed
//   serve          a command that prints its address and stays
//   ask            an operation for the server      answer   what it answers, as JSON
//   subscribe      one whose answer is a list of events
//
// Blocks without such a word are for readers only.

import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { run, UserError } from './processes.mjs';

/**
 * @param {string} readme what the README is called in messages
 * @param {string} markdown its text
 * @param {{ cwd: string, env?: Record<string, string>, calm?: boolean }} options `calm`: no command may print a warning
 * @returns {Promise<{ passed: number, failed: number }>} one test for each command, question and promise
 */
export async function follow(readme, markdown, { cwd, env = {}, calm = false }) {
  let folder = cwd;
  let printed = '';
  let answer;
  let server;
  let passed = 0;
  const complain = what => {
    throw new UserError(`${readme} ${what}`);
  };

  async function command(line, succeeds) {
    const [program, ...args] = line.split(' ');
    if (program === 'cd') {
      folder = join(folder, args[0]);
      return;
    }
    const { code, output } = await run(program, args, { cwd: folder, env, output: 'both' });
    printed = output;
    if ((code === 0) !== succeeds)
      complain(`says to run \`${line}\`, and it ${succeeds ? 'failed' : 'did not fail'}: see above.`);
    if (calm && succeeds && /^warning/m.test(output)) complain(`says to run \`${line}\`, and it warned: see above.`);
    passed += 1;
  }

  function request(query, accept) {
    if (!server) return complain('asks a server before it starts one.');
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
      const gone = text.split('\n').filter(Boolean);
      const lines = readFileSync(join(folder, path), 'utf8').split('\n');
      for (const line of gone)
        if (!lines.includes(line)) complain(`says to take \`${line.trim()}\` out of ${path}, and it is not there.`);
      writeFileSync(join(folder, path), lines.filter(line => !gone.includes(line)).join('\n'));
    },
    async run(text) {
      for (const line of text.trim().split('\n')) await command(line, true);
    },
    fails: text => command(text.trim(), false),
    says(text) {
      for (const line of text.trim().split('\n'))
        if (!printed.includes(line.trim()))
          complain(`promises that a command prints \`${line.trim()}\`, and it does not.`);
      passed += 1;
    },
    async serve(text) {
      await server?.stop();
      server = await serve(text.trim(), folder, env);
      passed += 1;
    },
    async ask(text) {
      answer = await (await request(text, 'application/json')).json();
      if (answer.errors) complain(`asks\n${text}and is answered\n${JSON.stringify(answer, null, 2)}`);
      passed += 1;
    },
    async subscribe(text) {
      const response = await request(text, 'multipart/mixed; subscriptionSpec=1.0');
      const parts = (await response.text()).split(/^--graphql(?:--)?\r?$/m);
      // Behind the head of each part.
      const events = parts
        .map(part => part.slice(part.indexOf('\r\n\r\n')).trim())
        .filter(part => part.startsWith('{'));
      answer = events.map(event => JSON.parse(event).payload).filter(Boolean);
      if (answer.length === 0) complain(`subscribes\n${text}and there is no event in the answer`);
      passed += 1;
    },
    answer(text) {
      if (!isDeepStrictEqual(answer, JSON.parse(text)))
        complain(`promises the answer\n${text}and the answer is\n${JSON.stringify(answer, null, 2)}`);
      passed += 1;
    },
  };

  try {
    for (const { kind, path, text } of blocksOf(markdown)) await steps[kind](text, path);
  } finally {
    await server?.stop();
  }
  if (passed === 0) complain('has no block that says what to run: there was nothing to follow.');
  return { passed, failed: 0 };
}

function blocksOf(markdown) {
  const block = /^```\w+ (?:(append|file|remove)=(\S+)|(run|fails|says|serve|ask|subscribe|answer))\n([\s\S]*?)^```$/gm;
  return [...markdown.matchAll(block)].map(([, kind, path, word, text]) => ({ kind: kind ?? word, path, text }));
}

function write(file, text, how) {
  mkdirSync(dirname(file), { recursive: true });
  how(file, text);
}

/** Starts a program and waits for the address that it prints. */
function serve(line, cwd, env) {
  const [program, ...args] = line.split(' ');
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise(resolve => child.once('close', resolve));
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('error', reject);
    child.once('close', code => reject(new UserError(`\`${line}\` ended with ${code} before it served anything.`)));
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text;
      const address = /http:\/\/\S+/.exec(printed)?.[0];
      if (address) resolve({ address, stop });
    });
  });
}
