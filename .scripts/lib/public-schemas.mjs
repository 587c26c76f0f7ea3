// Schemas that others have published, for traitql to prove itself on. They come from the registry's packages, in exact
// versions, and stay in `target/`; the repository holds no copy. What is invalid by the specification is said here, with
// the rule, and mended before it is generated: traitql would refuse it.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  buildASTSchema,
  buildClientSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  validate,
  visit,
} from 'graphql';
import { ROOT, UserError } from './processes.mjs';

const CACHE = join(ROOT, 'target/public-schemas');

/** Where {@link prepare} puts schemas and their documents, a folder each. */
export const READY = join(CACHE, 'ready');

/**
 * @typedef {object} PublicSchema
 * @property {string} name
 * @property {string} from the package and its version; of crates.io where it begins with `crate:`
 * @property {string[]} schema files of the package: SDL, also as a snapshot of insta, or the answer of an introspection query
 * @property {string} [operations] folder of the package with documents, or a module with the documents in its strings
 * @property {string} [operationsFrom] another package that has the operations, and its version
 * @property {(text: string) => { text: string, invalid: string[] }} [mend] what is wrong by the specification, and the text
 *   without it
 * @property {boolean} [checked] whether `npm test` compiles the crate; measuring compiles them all
 */

/** @type {PublicSchema[]} */
export const SCHEMAS = [
  { name: 'github', from: '@octokit/graphql-schema@15.26.1', schema: ['schema.graphql'], mend: mendGithub },
  { name: 'shopify-storefront', from: '@shopify/hydrogen-react@2026.4.4', schema: ['storefront.schema.json'] },
  { name: 'shopify-customer', from: '@shopify/hydrogen-react@2026.4.4', schema: ['customer-account.schema.json'] },
  {
    name: 'sui',
    from: '@mysten/sui@1.45.2',
    schema: ['src/graphql/generated/latest/schema.graphql'],
    operations: 'src/graphql/queries',
    checked: true,
  },
  {
    name: 'linear',
    from: 'crate:linear-schema@0.1.1',
    schema: ['linear.graphql'],
    // The client of about the day on which the crate took its copy of the schema.
    operationsFrom: '@linear/sdk@69.0.0',
    operations: 'dist/index.mjs',
  },
  { name: 'iota', from: '@iota/iota-sdk@1.10.1', schema: ['src/graphql/generated/2025.2/schema.graphql'] },
  { name: 'relay', from: 'relay-test-utils-internal@21.0.1', schema: ['lib/testschema.graphql'], checked: true },
  // What the crate's tests expect of it, which is the schema in its own spelling.
  {
    name: 'swapi',
    from: 'crate:cynic-parser@0.11.2',
    schema: ['tests/snapshots/actual_schemas__starwars__snapshot.snap'],
  },
  {
    name: 'pokemon',
    from: '@favware/graphql-pokemon@8.8.1',
    schema: ['graphql/enums.graphql', 'graphql/resolvers.graphql', 'graphql/schema.graphql'],
  },
];

/**
 * Where a schema lies, ready to be generated from, and what had to be mended.
 * @param {PublicSchema} schema
 */
export function prepare(schema) {
  const folder = unpacked(schema.from);
  const client = schema.operationsFrom ? unpacked(schema.operationsFrom) : folder;
  const ready = join(READY, schema.name);
  // Operations of another version of the package would stay.
  rmSync(ready, { recursive: true, force: true });
  mkdirSync(join(ready, 'operations'), { recursive: true });
  let text = schema.schema.map(file => sdl(join(folder, file))).join('\n\n');
  let invalid = [];
  if (schema.mend) ({ text, invalid } = schema.mend(text));
  writeFileSync(join(ready, `${schema.name}.graphql`), text);
  const found = schema.operations ? documents(join(client, schema.operations)) : [];
  const { operations, refused } = valid(text, found);
  invalid = [...invalid, ...refused];
  for (const { path, text } of operations) writeFileSync(join(ready, 'operations', path), text);
  return {
    schema: join(ready, `${schema.name}.graphql`),
    operations: join(ready, 'operations'),
    invalid,
    ...counted(text, operations),
  };
}

/** Downloads a package once. */
function unpacked(from) {
  const folder = join(CACHE, 'packages', from.replaceAll(/[/@:]/g, '-'));
  if (from.startsWith('crate:')) return crate(from.slice('crate:'.length), folder);
  if (existsSync(join(folder, 'package/package.json'))) return join(folder, 'package');
  mkdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', from], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new UserError(`${from} cannot be downloaded from the registry of packages:\n${stderr}`);
  const archive = stdout.trim().split('\n').at(-1) ?? '';
  if (spawnSync('tar', ['xzf', archive], { cwd: folder }).status !== 0)
    throw new UserError(`${archive} cannot be unpacked`);
  return join(folder, 'package');
}

/** The sources of a crate, where cargo keeps them: they are read, and never compiled. */
function crate(from, folder) {
  const [name, version] = from.split('@');
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/lib.rs'), '');
  writeFileSync(
    join(folder, 'Cargo.toml'),
    `[workspace]\n[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n${name} = "=${version}"\n`,
  );
  const metadata = ['metadata', '--format-version', '1', '--manifest-path', join(folder, 'Cargo.toml')];
  const { status, stdout, stderr } = spawnSync('cargo', metadata, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new UserError(`${from} cannot be downloaded from the registry of crates:\n${stderr}`);
  return dirname(JSON.parse(stdout).packages.find(found => found.name === name).manifest_path);
}

function sdl(file) {
  const text = readFileSync(file, 'utf8');
  // Behind the head of a snapshot.
  if (file.endsWith('.snap')) return text.slice(text.indexOf('\n---\n') + 5);
  if (!file.endsWith('.json')) return text;
  const answer = JSON.parse(text);
  return printSchema(buildClientSchema(answer.data ?? answer));
}

/** Documents of a package, each whole: with the fragments that its operation uses. */
function documents(place) {
  if (place.endsWith('.mjs')) {
    // What graphql-codegen writes: a template string a document, without a placeholder in it.
    const strings = readFileSync(place, 'utf8').matchAll(/new TypedDocumentString\(`([^`]*)`/g);
    return [...strings].map(([, text]) => parse(text));
  }
  const definitions = readdirSync(place)
    .filter(file => file.endsWith('.graphql'))
    .flatMap(file => parse(readFileSync(join(place, file), 'utf8')).definitions);
  const fragments = definitions.filter(isFragment);
  const operations = definitions.filter(node => !isFragment(node));
  return operations.map(operation => {
    const used = reached(operation, fragments);
    return { kind: Kind.DOCUMENT, definitions: [operation, ...fragments.filter(({ name }) => used.has(name.value))] };
  });
}

/** Names of the fragments that an operation spreads, and that these spread. */
function reached(node, fragments, names = new Set()) {
  visit(node, {
    FragmentSpread({ name }) {
      if (names.has(name.value)) return;
      names.add(name.value);
      const fragment = fragments.find(other => other.name.value === name.value);
      if (fragment) reached(fragment, fragments, names);
    },
  });
  return names;
}

function isFragment(node) {
  return node.kind === Kind.FRAGMENT_DEFINITION;
}

/** One operation a file, and one fragment a file: that is how traitql wants them. Invalid documents are named and left out. */
function valid(text, found) {
  const schema = buildASTSchema(parse(text), { assumeValid: true });
  const operations = new Map();
  const refused = [];
  for (const document of found) {
    const operation = document.definitions.find(node => !isFragment(node));
    // A document of fragments only says again what others hold.
    if (!operation) continue;
    const [error] = validate(schema, document);
    if (error) {
      refused.push(`the operation ${operation.name.value} is left out: ${error.message}`);
      continue;
    }
    for (const node of document.definitions.filter(isFragment)) {
      const path = `fragment-${node.name.value}.graphql`;
      operations.set(path, { path, text: print(node) });
    }
    const pascal = operation.name.value[0].toUpperCase() + operation.name.value.slice(1);
    const path = `${pascal}.graphql`;
    const named = { ...operation, name: { ...operation.name, value: pascal } };
    operations.set(path, { path, text: print(named), operation: true });
  }
  return { operations: [...operations.values()], refused };
}

function counted(text, operations) {
  const types = Object.values(buildASTSchema(parse(text), { assumeValid: true }).getTypeMap()).filter(
    type => !type.name.startsWith('__'),
  );
  const fielded = type => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type);
  return {
    lines: text.split('\n').length,
    types: types.length,
    fields: types.filter(fielded).reduce((sum, type) => sum + Object.keys(type.getFields()).length, 0),
    count: operations.filter(({ operation }) => operation).length,
  };
}

/** GitHub's schema defines fields twice, and deprecates fields that interfaces promise. All else stays as it was written. */
function mendGithub(text) {
  const document = parse(text);
  const invalid = [];
  const cuts = [];
  const interfaces = new Map(
    document.definitions
      .filter(node => node.kind === Kind.INTERFACE_TYPE_DEFINITION)
      .map(node => [node.name.value, node]),
  );
  const deprecation = field => field.directives.find(({ name }) => name.value === 'deprecated');
  const promised = (type, field) =>
    type.interfaces.some(({ name }) =>
      interfaces.get(name.value)?.fields.some(other => other.name.value === field.name.value && !deprecation(other)),
    );
  for (const type of document.definitions) {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    const seen = new Set();
    for (const field of type.fields) {
      const coordinate = `${type.name.value}.${field.name.value}`;
      if (seen.has(field.name.value)) {
        invalid.push(`${coordinate} is defined twice (Objects, type validation 2.1: field names are unique)`);
        cuts.push(field.loc);
        continue;
      }
      seen.add(field.name.value);
      const deprecated = deprecation(field);
      if (deprecated && promised(type, field)) {
        invalid.push(`${coordinate} is deprecated, the interface's field is not (IsValidImplementation)`);
        cuts.push(deprecated.loc);
      }
    }
  }
  let mended = '';
  let from = 0;
  for (const { start, end } of cuts) {
    mended += text.slice(from, start);
    from = end;
  }
  return { text: mended + text.slice(from), invalid };
}

/** Bytes of all files in a folder. */
export function size(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
