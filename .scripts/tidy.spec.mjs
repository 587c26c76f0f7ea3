/**
 * Checks the language of comments and documents, the paths that documents name, the independence of the toolchain, and
 * one Rust idiom. `TIDY=server/traitql npm test -- unit tidy` limits the report to one folder.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const git = (...args) =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', maxBuffer: 1e8 }).trim();
const ROOT = git('rev-parse', '--show-toplevel');
const ONLY = process.env['TIDY'] ?? '';

/** Files without our own prose, or recorded ones. The glossary and this file list the words to avoid. */
const SKIPPED = /(^|\/)(generated|fixtures|node_modules|target|dist)\/|\.snap$|(^|\/)GLOSSARY\.md$|tidy\.spec\.mjs$/;

/** The first line of a generated file. Its prose is checked in the source that it is generated from. */
const GENERATED = /^(?:\/\/|#|<!--|\/\*\*?) Generated .*Do not edit/;

/** Pattern, replacement, reason. Code in backticks is exempt. */
const WORDS = [
  [/\bwhoever\b/gi, 'the caller, the user, the visitor', 'name the actor'],
  [/\bsomebody\b/gi, 'a user, a caller, a member', 'name the actor'],
  [/\bnobody\b/gi, 'no user, no caller, or the passive', 'name the actor'],
  [/\banybody\b/gi, 'any user, any caller', 'name the actor'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix, repair', 'not a technical term'],
  [/\banew\b/gi, 'again, new', 'archaic'],
  [/\bfor ever\b/gi, 'forever, permanently, without limit, immutable', 'archaic spelling'],
  [/\b(?:lent|lends?|lending)\b/gi, 'shared (`Arc`), borrowed', 'Rust has terms for it'],
];

const QUESTION = /^(?:What|Where|Whether|Which|How|Who|Whose|Whom|When|Why|Whoever|Whatever)\b/;

/** The first word of a comment that leans on the line above, instead of standing alone. */
const FRAGMENT =
  /^(?:And|Or|Unless|Even|Also|Then|By|For|In|Of|With|At|Just|Before|After|Regardless|As|Per|Until|On|From|Without|Possibly|Including|Includes|Except|Because|Unlike|Otherwise|Like|To|Next|Between|Below|Above|Within|Among|Last|Once|Again)\b/;

/**
 * Inline comments per line of code that must remain. Well-known projects have 0.02 to 0.1: raise a number whenever the
 * code has more, so that reasons are not lost again.
 */
const MIN_INLINE_COMMENTS = { Rust: 0.0055, TypeScript: 0.012 };

/** The share of fragments that well-known Rust and TypeScript projects do not exceed. */
const MAX_FRAGMENTS = 0.025;

const BUILT = /^(?:client\/dist|target|data|node_modules|server\/traitql\/bench\/target)(?:\/|$)/;

/** Documents about projects of traitql's users, whose paths are not in this repository. */
const ABOUT_OTHER_PROJECTS = /^server\/traitql\//;

const read = file => readFileSync(join(ROOT, file), 'utf8');
const tracked = git('ls-files', '--full-name', ROOT)
  .split('\n')
  .filter(file => file && !SKIPPED.test(file) && existsSync(join(ROOT, file)));
const files = tracked.filter(file => !GENERATED.test(read(file)));
const inScope = file => file.startsWith(ONLY);

/** @typedef {{ line: number, text: string }} Line a line of prose with its number in the file */

/** The comments of a file, or the text of a document. Fenced code is left out. @returns {Line[]} */
function proseOf(file) {
  const lines = read(file).split('\n');
  const kind = extname(file);
  if (kind === '.md') return outsideFences(lines);
  if (kind === '.rs') return outsideFences(lines.map(line => /(?:^|\s)\/\/[/!]?(?:\s(.*))?$/.exec(line)?.[1] ?? ''));
  if (/^\.(?:ts|tsx|mjs|js|css)$/.test(kind))
    return blockComments(lines, kind === '.css' ? null : /(?:^|\s)\/\/\s(.*)$/);
  if (kind === '.graphql') return descriptions(lines);
  if (kind === '.sql') return numbered(lines.map(line => /(?:^|\s)--\s(.*)$/.exec(line)?.[1] ?? ''));
  if (/^\.(?:ya?ml|toml|sh)$/.test(kind) || /(?:^|\/)(?:\.gitattributes|run)$/.test(file))
    return numbered(lines.map(line => /(?:^|\s)#\s(.*)$/.exec(line)?.[1] ?? ''));
  return [];
}

const numbered = texts => texts.map((text, index) => ({ line: index + 1, text })).filter(({ text }) => text !== '');

function outsideFences(texts) {
  let fenced = false;
  return numbered(
    texts.map(text => {
      const fence = /^\s*(?:```|~~~)/.test(text);
      if (fence) fenced = !fenced;
      return fence || fenced ? '' : text;
    }),
  );
}

function blockComments(lines, lineComment) {
  let inside = false;
  return numbered(
    lines.map(line => {
      if (!inside) {
        const start = /(?:^|\s|\{)\/\*+\s?(.*)$/.exec(line);
        if (!start) return lineComment?.exec(line)?.[1] ?? '';
        inside = !start[1].includes('*/');
        return start[1].replace(/\*\/.*$/, '');
      }
      inside = !line.includes('*/');
      return line.replace(/\*\/.*$/, '').replace(/^\s*\*?\s?/, '');
    }),
  );
}

function descriptions(lines) {
  let inside = false;
  return numbered(
    lines.map(line => {
      if (line.trim() === '"""') inside = !inside;
      else if (inside) return line;
      return /^\s*"(?!"")(.*)"$/.exec(line)?.[1] ?? /(?:^|\s)#\s(.*)$/.exec(line)?.[1] ?? '';
    }),
  );
}

/**
 * The lines without code, addresses and link targets, which may contain any word. Code can continue on the next line.
 * @param {Line[]} lines
 * @returns {Line[]}
 */
function withoutCode(lines) {
  let inCode = false;
  return lines.map(({ line, text }, index) => {
    const previous = lines[index - 1];
    const rest = inCode && previous?.line === line - 1 ? text.slice(text.indexOf('`') + 1) : text;
    const balanced = rest.replaceAll(/`[^`]*`/g, '``');
    const next = lines[index + 1];
    inCode = balanced.replaceAll('``', '').includes('`') && next?.line === line + 1 && next.text.includes('`');
    const cleaned = (inCode ? balanced.replace(/`[^`]*$/, '') : balanced)
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll(/https?:\/\/\S+/g, '')
      .replaceAll(/<!--.*?-->/g, '');
    return { line, text: cleaned };
  });
}

const prose = new Map(files.map(file => [file, proseOf(file)]));

/** The first lines of doc comments, in Rust and TypeScript. @returns {Line[]} */
function docHeads(file) {
  const lines = read(file).split('\n');
  if (file.endsWith('.rs')) {
    const doc = /^\s*\/\/[/!]\s(.*)$/;
    return numbered(lines.map((line, index) => (doc.test(lines[index - 1] ?? '') ? '' : (doc.exec(line)?.[1] ?? ''))));
  }
  if (!/\.(?:tsx?|mjs)$/.test(file)) return [];
  return numbered(
    lines.map((line, index) => {
      if (/^\s*\/\*\*\s*$/.test(line)) return '';
      const start = /^\s*\/\*\*\s+(.*)$/.exec(line)?.[1];
      const afterStart = /^\s*\/\*\*\s*$/.test(lines[index - 1] ?? '') ? /^\s*\*\s+(.*)$/.exec(line)?.[1] : undefined;
      return start ?? afterStart ?? '';
    }),
  );
}

/** @typedef {{ file: string, line: number, text: string }} Finding */

/**
 * The findings in scope as text, with the number of findings of each file; empty if there are none.
 * @param {string} advice
 * @param {Finding[]} findings
 */
function report(advice, findings) {
  const shown = findings.filter(({ file }) => inScope(file));
  if (shown.length === 0) return '';
  const perFile = new Map();
  for (const { file } of shown) perFile.set(file, (perFile.get(file) ?? 0) + 1);
  const details = shown.map(({ file, line, text }) => `${file}:${line}: ${text}`);
  const counts = [...perFile].map(([file, count]) => `${String(count).padStart(5)}  ${file}`);
  const sum = `${String(shown.length).padStart(5)}  in ${perFile.size} files`;
  return [advice, '', ...details, '', ...counts, sum, ''].join('\n');
}

test('comments and documents use standard terms', () => {
  const findings = [];
  for (const [file, lines] of prose) {
    for (const { line, text } of withoutCode(lines)) {
      for (const [pattern, replacement, reason] of WORDS) {
        for (const [word] of text.matchAll(pattern))
          findings.push({ file, line, text: `"${word}": write ${replacement} (${reason})` });
      }
    }
  }
  const problems = report('Rewrite these sentences with the terms of server/GLOSSARY.md:', findings);
  expect(problems === '', problems).toBe(true);
});

test('doc comments begin with a verb or a noun', () => {
  const findings = files.flatMap(file =>
    docHeads(file)
      .filter(({ text }) => QUESTION.test(text))
      .map(({ line, text }) => ({ file, line, text })),
  );
  const problems = report(
    'Begin with "Returns …", "Parses …", "True if …" or a noun phrase instead of a question word:',
    findings,
  );
  expect(problems === '', problems).toBe(true);
});

test.each([
  ['Rust', /\.rs$/],
  ['TypeScript', /\.(?:tsx?|mjs)$/],
])('doc comments of %s stand alone', (_, pattern) => {
  const heads = files
    .filter(file => pattern.test(file))
    .flatMap(file => docHeads(file).map(head => ({ file, ...head })));
  const fragments = heads.filter(({ text }) => FRAGMENT.test(text));
  const problems = report(
    `More than ${MAX_FRAGMENTS * 100} % of the doc comments begin with a preposition or conjunction. Write whole sentences or noun phrases:`,
    fragments.length > heads.length * MAX_FRAGMENTS ? fragments : [],
  );
  expect(problems === '', problems).toBe(true);
});

test.each([
  ['Rust', /^server\/.*\.rs$/, /(?:^|\/)(?:tests|bench|golden-tests|engine-tests)\/|tests\.rs$/],
  ['TypeScript', /^client\/.*\.tsx?$/, /\.spec\.tsx?$|(?:^|\/)e2e\//],
])('inline comments of %s give reasons', (language, pattern, tests) => {
  const lines = files
    .filter(file => pattern.test(file) && !tests.test(file))
    .flatMap(file => read(file).split('\n'))
    .map(line => line.trim())
    .filter(line => line !== '' && !/^(?:\/\/[/!]|\/\*|\*)/.test(line));
  const inline = lines.filter(line => line.startsWith('//')).length;
  const share = inline / (lines.length - inline);
  const minimum = MIN_INLINE_COMMENTS[language];
  expect(
    share,
    `${language} has ${share.toFixed(4)} inline comments per line of code, at least ${minimum} must remain. State constraints, trade-offs, measured reasons and worked-around bugs where a reader would look for them.`,
  ).toBeGreaterThanOrEqual(minimum);
});

test('documents name paths that exist', () => {
  const top = new Set(readdirSync(ROOT));
  const findings = [];
  for (const file of tracked.filter(each => each.endsWith('.md'))) {
    const folder = dirname(file);
    for (const { line, text } of outsideFences(read(file).split('\n'))) {
      for (const [, target] of text.replaceAll(/`[^`]*`/g, '``').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target) || target.includes('{')) continue;
        const [path, anchor] = target.split('#');
        const linked = path === '' ? file : normalize(join(folder, path));
        if (!existsSync(join(ROOT, linked))) findings.push({ file, line, text: `${target} does not exist` });
        else if (anchor && linked.endsWith('.md') && !anchorsOf(linked).has(anchor))
          findings.push({ file, line, text: `${linked} has no heading #${anchor}` });
      }
      for (const [, code] of text.matchAll(/`([^`\s]+)`/g)) {
        if (!/^[\w.@*-]+(?:\/[\w.@*-]*)+$/.test(code) || BUILT.test(code)) continue;
        const fixed = code.replace(/[^/]*\*.*$/, '');
        const rooted = top.has(code.split('/')[0]);
        const isSource = /\.(?:rs|tsx?|mjs|sql)$/.test(code) && !ABOUT_OTHER_PROJECTS.test(file);
        if (!rooted && !isSource) continue;
        if (!existsSync(join(ROOT, fixed)) && !(isSource && existsSync(join(ROOT, folder, fixed))))
          findings.push({ file, line, text: `${code} does not exist; write the path from the root of the repository` });
      }
    }
  }
  const problems = report('Correct these paths:', findings);
  expect(problems === '', problems).toBe(true);
});

function anchorsOf(file) {
  return new Set(
    outsideFences(read(file).split('\n')).flatMap(({ text }) => {
      const heading = /^#+\s+(.*)$/.exec(text)?.[1];
      const named = /<a (?:id|name)="([^"]+)"/.exec(text)?.[1];
      const slug = heading
        ?.replaceAll(/\]\([^)]*\)/g, ']')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-');
      return [slug, named].filter(each => each !== undefined);
    }),
  );
}

test('the toolchain does not refer to the product', () => {
  const findings = tracked
    .filter(file => file.startsWith('server/traitql/') && !file.endsWith('.lock'))
    .flatMap(file =>
      read(file)
        .split('\n')
        .map((text, index) => ({ file, line: index + 1, text: text.trim() }))
        .filter(({ text }) => /server\/waypost|\bwaypost[-_]\w/.test(text)),
    );
  const problems = report('The toolchain is published without the product. Use a neutral example:', findings);
  expect(problems === '', problems).toBe(true);
});

test('Rust branches on booleans with if', () => {
  const findings = files
    .filter(file => file.endsWith('.rs'))
    .flatMap(file => {
      const source = read(file);
      const matches = source.matchAll(/\bmatch\s[^{};]*\{\s*(?:\/\/[^\n]*\n\s*)*(?:true|false)\s*(?:=>|if\b)/g);
      return [...matches].map(({ 0: text, index }) => ({
        file,
        line: source.slice(0, index).split('\n').length,
        text: text.split('\n')[0].trim(),
      }));
    });
  const problems = report('Write `if` instead of `match` over a boolean:', findings);
  expect(problems === '', problems).toBe(true);
});

afterAll(() => {
  const production = files.filter(file => file.endsWith('.rs') && inScope(file) && !/\/tests\/|tests\.rs$/.test(file));
  const lines = production.flatMap(file => read(file).split('\n')).map(line => line.trim());
  const inline = lines.filter(line => /^\/\/(?![/!])/.test(line)).length;
  const code = lines.filter(line => line !== '' && !line.startsWith('//')).length;
  const rate = (inline / Math.max(1, code)).toFixed(4);
  console.log(`Inline comments per line of Rust code: ${rate}. Well-known projects: 0.02 to 0.1.`);
});
