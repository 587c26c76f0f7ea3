// Public schemas on which traitql is tested, downloaded into `target/`. Violations of the specification are fixed and
// reported.

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

/** The folder in which {@link prepareSchema} writes schemas and their documents, with one folder for each schema. */
export const READY = join(CACHE, 'ready');

/**
 * @typedef {object} PublicSchema
 * @property {string} name
 * @property {string} from the npm package and its version, or a crate if it begins with `crate:`
 * @property {string[]} schema files of the package: SDL, an insta snapshot of SDL, or the response of an introspection
 *   query
 * @property {string} [operations] folder of the package with documents, or a module that contains them in strings
 * @property {string} [operationsFrom] the package and version of the operations, if it is another one
 * @property {(text: string) => { text: string, invalid: string[] }} [fix] returns the schema without violations of the
 *   specification, and a description of each
 * @property {boolean} [checked] true if `npm test` compiles the crate; the benchmark compiles all crates
 */

/** @type {PublicSchema[]} */
export const SCHEMAS = [
  { name: 'github', from: '@octokit/graphql-schema@15.26.1', schema: ['schema.graphql'], fix: fixGithub },
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
    // The client version that was current when the crate copied the schema.
    operationsFrom: '@linear/sdk@69.0.0',
    operations: 'dist/index.mjs',
  },
  { name: 'iota', from: '@iota/iota-sdk@1.10.1', schema: ['src/graphql/generated/2025.2/schema.graphql'] },
  { name: 'relay', from: 'relay-test-utils-internal@21.0.1', schema: ['lib/testschema.graphql'], checked: true },
  // The expected output of the crate's tests, which is the schema in the crate's formatting.
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
 * Downloads a schema and its operations and writes them as input for the generator. Returns the paths, the sizes, and a
 * description of everything that was fixed or omitted.
 * @param {PublicSchema} schema
 */
export function prepareSchema(schema) {
  const folder = unpackPackage(schema.from);
  const client = schema.operationsFrom ? unpackPackage(schema.operationsFrom) : folder;
  const ready = join(READY, schema.name);
  // Otherwise, operations of another version of the package would remain.
  rmSync(ready, { recursive: true, force: true });
  mkdirSync(join(ready, 'operations'), { recursive: true });
  let text = schema.schema.map(file => sdl(join(folder, file))).join('\n\n');
  let invalid = [];
  if (schema.fix) ({ text, invalid } = schema.fix(text));
  writeFileSync(join(ready, `${schema.name}.graphql`), text);
  const found = schema.operations ? documents(join(client, schema.operations)) : [];
  const { operations, omitted } = validOperations(text, found);
  invalid = [...invalid, ...omitted];
  for (const { path, text } of operations) writeFileSync(join(ready, 'operations', path), text);
  return {
    schema: join(ready, `${schema.name}.graphql`),
    operations: join(ready, 'operations'),
    invalid,
    ...sizes(text, operations),
  };
}

function unpackPackage(from) {
  const folder = join(CACHE, 'packages', from.replaceAll(/[/@:]/g, '-'));
  if (from.startsWith('crate:')) return crateFolder(from.slice('crate:'.length), folder);
  if (existsSync(join(folder, 'package/package.json'))) return join(folder, 'package');
  mkdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', from], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new UserError(`Downloading the package ${from} failed:\n${stderr}`);
  const archive = stdout.trim().split('\n').at(-1) ?? '';
  if (spawnSync('tar', ['xzf', archive], { cwd: folder }).status !== 0)
    throw new UserError(`Unpacking ${archive} failed.`);
  return join(folder, 'package');
}

function crateFolder(from, folder) {
  const [name, version] = from.split('@');
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/lib.rs'), '');
  writeFileSync(
    join(folder, 'Cargo.toml'),
    `[workspace]\n[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n${name} = "=${version}"\n`,
  );
  const metadata = ['metadata', '--format-version', '1', '--manifest-path', join(folder, 'Cargo.toml')];
  const { status, stdout, stderr } = spawnSync('cargo', metadata, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new UserError(`Downloading the crate ${from} failed:\n${stderr}`);
  return dirname(JSON.parse(stdout).packages.find(each => each.name === name).manifest_path);
}

function sdl(file) {
  const text = readFileSync(file, 'utf8');
  // Skips the head of the snapshot.
  if (file.endsWith('.snap')) return text.slice(text.indexOf('\n---\n') + 5);
  if (!file.endsWith('.json')) return text;
  const response = JSON.parse(text);
  return printSchema(buildClientSchema(response.data ?? response));
}

function documents(path) {
  if (path.endsWith('.mjs')) {
    // graphql-codegen writes each document as a template string without placeholders.
    const strings = readFileSync(path, 'utf8').matchAll(/new TypedDocumentString\(`([^`]*)`/g);
    return [...strings].map(([, text]) => parse(text));
  }
  const definitions = readdirSync(path)
    .filter(file => file.endsWith('.graphql'))
    .flatMap(file => parse(readFileSync(join(path, file), 'utf8')).definitions);
  const fragments = definitions.filter(isFragment);
  const operations = definitions.filter(node => !isFragment(node));
  return operations.map(operation => {
    const used = spreadFragments(operation, fragments);
    return { kind: Kind.DOCUMENT, definitions: [operation, ...fragments.filter(({ name }) => used.has(name.value))] };
  });
}

function spreadFragments(node, fragments, names = new Set()) {
  visit(node, {
    FragmentSpread({ name }) {
      if (names.has(name.value)) return;
      names.add(name.value);
      const fragment = fragments.find(other => other.name.value === name.value);
      if (fragment) spreadFragments(fragment, fragments, names);
    },
  });
  return names;
}

function isFragment(node) {
  return node.kind === Kind.FRAGMENT_DEFINITION;
}

/** traitql requires files of one operation or fragment. Invalid documents are omitted and reported. */
function validOperations(text, found) {
  const schema = buildASTSchema(parse(text), { assumeValid: true });
  const operations = new Map();
  const omitted = [];
  for (const document of found) {
    const operation = document.definitions.find(node => !isFragment(node));
    // Documents without an operation repeat fragments of others.
    if (!operation) continue;
    const [error] = validate(schema, document);
    if (error) {
      omitted.push(`the operation ${operation.name.value} is omitted: ${error.message}`);
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
  return { operations: [...operations.values()], omitted };
}

function sizes(text, operations) {
  const types = Object.values(buildASTSchema(parse(text), { assumeValid: true }).getTypeMap()).filter(
    type => !type.name.startsWith('__'),
  );
  const hasFields = type => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type);
  return {
    lines: text.split('\n').length,
    types: types.length,
    fields: types.filter(hasFields).reduce((sum, type) => sum + Object.keys(type.getFields()).length, 0),
    count: operations.filter(({ operation }) => operation).length,
  };
}

function fixGithub(text) {
  const document = parse(text);
  const invalid = [];
  const cuts = [];
  const interfaces = new Map(
    document.definitions
      .filter(node => node.kind === Kind.INTERFACE_TYPE_DEFINITION)
      .map(node => [node.name.value, node]),
  );
  const deprecation = field => field.directives.find(({ name }) => name.value === 'deprecated');
  const isRequired = (type, field) =>
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
      if (deprecated && isRequired(type, field)) {
        invalid.push(`${coordinate} is deprecated, the interface's field is not (IsValidImplementation)`);
        cuts.push(deprecated.loc);
      }
    }
  }
  let fixed = '';
  let from = 0;
  for (const { start, end } of cuts) {
    fixed += text.slice(from, start);
    from = end;
  }
  return { text: fixed + text.slice(from), invalid };
}

export function size(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
