// Measures graphql-codegen, and async-graphql, whose users write the types by hand with its macros.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildASTSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { measureProcess } from './generator.mjs';
import { ROOT, UserError } from './processes.mjs';

const TOOLS = join(ROOT, 'target/other-generators/graphql-codegen');
/** Waypost does not use the plugins for servers, so they are not dependencies of it. */
const VERSIONS = {
  '@graphql-codegen/cli': '7.4.3',
  '@graphql-codegen/typescript': '6.1.0',
  '@graphql-codegen/typescript-operations': '6.1.9',
  '@graphql-codegen/typescript-resolvers': '6.1.0',
  graphql: '16.15.0',
};

export async function graphqlCodegen({ schema, operations, count }, name) {
  install();
  const folder = join(TOOLS, 'output', name);
  mkdirSync(folder, { recursive: true });
  const config = {
    schema,
    ...(count > 0 && { documents: join(operations, '*.graphql') }),
    generates: {
      [join(folder, 'resolvers.ts')]: { plugins: ['typescript', 'typescript-resolvers'] },
      ...(count > 0 && { [join(folder, 'operations.ts')]: { plugins: ['typescript-operations'] } }),
    },
  };
  const file = join(folder, 'codegen.json');
  writeFileSync(file, JSON.stringify(config));
  const tool = join(TOOLS, 'node_modules/@graphql-codegen/cli/esm/bin.js');
  // graphql-codegen resolves plugins from the working directory.
  return measureProcess(process.execPath, [tool, '--config', file], {}, TOOLS);
}

function install() {
  const { overrides } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const content = JSON.stringify({ private: true, dependencies: VERSIONS, overrides });
  const manifest = join(TOOLS, 'package.json');
  const isInstalled = existsSync(join(TOOLS, 'node_modules')) && readFileSync(manifest, 'utf8') === content;
  if (isInstalled) return;
  mkdirSync(TOOLS, { recursive: true });
  writeFileSync(manifest, content);
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: TOOLS,
    encoding: 'utf8',
  });
  if (status !== 0) throw new UserError(`Installing graphql-codegen failed:\n${stderr}`);
}

/** Excludes dependencies. Interfaces are written as unions, without their fields. */
export async function asyncGraphql({ schema }, folder) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  // The version that traitql uses.
  const version = /name = "async-graphql"\nversion = "([^"]+)"/.exec(
    readFileSync(join(ROOT, 'Cargo.lock'), 'utf8'),
  )?.[1];
  writeFileSync(
    join(folder, 'Cargo.toml'),
    `[workspace]\n[package]\nname = "macros"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\nasync-graphql = { version = "=${version}", default-features = false }\n`,
  );
  copyFileSync(join(ROOT, 'Cargo.lock'), join(folder, 'Cargo.lock'));
  writeFileSync(
    join(folder, 'src/lib.rs'),
    macros(buildASTSchema(parse(readFileSync(schema, 'utf8')), { assumeValid: true })),
  );
  const check = ['check', '--offline', '--manifest-path', join(folder, 'Cargo.toml')];
  const env = { CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target') };
  await measureProcess('cargo', [...check, '--package', 'async-graphql'], env);
  return measureProcess('cargo', check, env);
}

const SCALARS = { Int: 'i32', Float: 'f64', Boolean: 'bool', ID: '::async_graphql::ID' };

function macros(schema) {
  const items = Object.values(schema.getTypeMap())
    .filter(type => !type.name.startsWith('__'))
    .map(type => {
      if (isEnumType(type)) {
        const values = type.getValues().map(value => `  ${variant(value.name)},\n`);
        return `#[derive(async_graphql::Enum, Copy, Clone, Eq, PartialEq)]\npub enum ${type.name} {\n${values.join('')}}\n`;
      }
      if (isInputObjectType(type)) {
        const fields = Object.values(type.getFields()).map(
          field => `  pub ${name(field.name)}: ${rust(field.type, true)},\n`,
        );
        return `#[derive(async_graphql::InputObject)]\npub struct ${type.name} {\n${fields.join('')}}\n`;
      }
      if (isAbstractType(type)) {
        const members = schema.getPossibleTypes(type).map(member => `  ${member.name}(${member.name}),\n`);
        return members.length === 0
          ? ''
          : `#[derive(async_graphql::Union)]\npub enum ${type.name} {\n${members.join('')}}\n`;
      }
      if (!isObjectType(type)) return '';
      const taken = new Set();
      const fields = Object.values(type.getFields())
        .filter(field => !isEmpty(schema, getNamedType(field.type)))
        .map(field => {
          const args = field.args.map(arg => `, ${name(arg.name)}: ${rust(arg.type, false)}`);
          // Relay's schema has both `profilePicture` and `profile_picture`.
          const method = taken.has(name(field.name)) ? `${name(field.name)}_` : name(field.name);
          taken.add(method);
          return `  async fn ${method}(&self${args.join('')}) -> ::async_graphql::Result<${rust(field.type, false)}> { unimplemented_resolver() }\n`;
        });
      return `pub struct ${type.name};\n#[async_graphql::Object]\nimpl ${type.name} {\n${fields.join('')}}\n`;
    });
  return [
    '#![allow(unused_variables, non_camel_case_types, non_snake_case)]',
    '/// The body of every resolver. Not a diverging macro, because rustc would skip the code after it.',
    'fn unimplemented_resolver<T>() -> ::async_graphql::Result<T> { Err("not written".into()) }',
    ...items,
  ].join('\n');
}

function isEmpty(schema, type) {
  return isAbstractType(type) && schema.getPossibleTypes(type).length === 0;
}

function rust(type, boxed) {
  if (isNonNullType(type)) return nonNull(type.ofType, boxed);
  return `::std::option::Option<${nonNull(type, boxed)}>`;
}

function nonNull(type, boxed) {
  if (isListType(type)) return `::std::vec::Vec<${rust(type.ofType, false)}>`;
  if (isObjectType(type) || isAbstractType(type) || isEnumType(type)) return type.name;
  if (isInputObjectType(type)) return boxed ? `::std::boxed::Box<${type.name}>` : type.name;
  return SCALARS[type.name] ?? '::std::string::String';
}

function name(text) {
  const snake = text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return ['_', 'self', 'super', 'crate', 'ctx', 'context'].includes(snake) ? `arg_${snake}` : `r#${snake}`;
}

function variant(text) {
  const camel = text.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_, letter) => letter.toUpperCase());
  return /^[A-Z]/.test(camel) && camel !== 'Self' ? camel : `V${camel}`;
}
