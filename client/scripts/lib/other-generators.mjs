// What others need for the same schema: graphql-codegen for its types in TypeScript, and async-graphql's macros over the
// same types written by hand, which is how a Rust server is written with it.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildASTSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isAbstractType,
  parse,
} from 'graphql';
import { measured } from './generator.mjs';
import { ROOT } from './processes.mjs';

/** Types of a schema, and of its operations where there are some. */
export async function graphqlCodegen({ schema, operations, count }, folder) {
  mkdirSync(folder, { recursive: true });
  const config = {
    schema,
    ...(count > 0 && { documents: join(operations, '*.graphql') }),
    generates: { [join(folder, 'types.ts')]: { plugins: ['typescript', ...(count > 0 ? ['typescript-operations'] : [])] } },
  };
  writeFileSync(join(folder, 'codegen.json'), JSON.stringify(config));
  const tool = join(ROOT, 'node_modules/@graphql-codegen/cli/esm/bin.js');
  return measured(process.execPath, [tool, '--config', join(folder, 'codegen.json')]);
}

/** `cargo check` of the macro form, without its dependencies. */
export async function asyncGraphql({ schema }, folder) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(
    join(folder, 'Cargo.toml'),
    '[workspace]\n[package]\nname = "macros"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\nasync-graphql = { version = "=8.0.0-rc.5", default-features = false }\n',
  );
  copyFileSync(join(ROOT, 'Cargo.lock'), join(folder, 'Cargo.lock'));
  writeFileSync(join(folder, 'src/lib.rs'), macros(buildASTSchema(parse(readFileSync(schema, 'utf8')), { assumeValid: true })));
  const check = ['check', '--offline', '--manifest-path', join(folder, 'Cargo.toml')];
  const env = { CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target') };
  await measured('cargo', [...check, '--package', 'async-graphql'], env);
  return measured('cargo', check, env);
}

const SCALARS = { Int: 'i32', Float: 'f64', Boolean: 'bool', ID: 'async_graphql::ID' };

function macros(schema) {
  const items = Object.values(schema.getTypeMap())
    .filter(type => !type.name.startsWith('__'))
    .map(type => {
      if (isEnumType(type)) {
        const values = type.getValues().map(value => `  ${variant(value.name)},\n`);
        return `#[derive(async_graphql::Enum, Copy, Clone, Eq, PartialEq)]\npub enum ${type.name} {\n${values.join('')}}\n`;
      }
      if (isInputObjectType(type)) {
        const fields = Object.values(type.getFields()).map(field => `  pub ${name(field.name)}: ${rust(field.type, true)},\n`);
        return `#[derive(async_graphql::InputObject)]\npub struct ${type.name} {\n${fields.join('')}}\n`;
      }
      if (isAbstractType(type)) {
        const members = schema.getPossibleTypes(type).map(member => `  ${member.name}(${member.name}),\n`);
        return members.length === 0 ? '' : `#[derive(async_graphql::Union)]\npub enum ${type.name} {\n${members.join('')}}\n`;
      }
      if (!isObjectType(type)) return '';
      const fields = Object.values(type.getFields())
        .filter(field => !isEmpty(schema, getNamedType(field.type)))
        .map(field => {
          const args = field.args.map(arg => `, ${name(arg.name)}: ${rust(arg.type, false)}`);
          return `  async fn ${name(field.name)}(&self${args.join('')}) -> ${rust(field.type, false)} { unreachable!() }\n`;
        });
      return `pub struct ${type.name};\n#[async_graphql::Object]\nimpl ${type.name} {\n${fields.join('')}}\n`;
    });
  return `#![allow(unused_variables, clippy::all)]\n${items.join('\n')}`;
}

/** An abstract type without members has no form in Rust. */
function isEmpty(schema, type) {
  return isAbstractType(type) && schema.getPossibleTypes(type).length === 0;
}

function rust(type, boxed) {
  if (isNonNullType(type)) return present(type.ofType, boxed);
  return `Option<${present(type, boxed)}>`;
}

function present(type, boxed) {
  if (isListType(type)) return `Vec<${rust(type.ofType, false)}>`;
  if (isObjectType(type) || isAbstractType(type) || isEnumType(type)) return type.name;
  if (isInputObjectType(type)) return boxed ? `Box<${type.name}>` : type.name;
  return SCALARS[type.name] ?? 'String';
}

function name(text) {
  const snake = text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return ['self', 'super', 'crate', 'ctx', 'context'].includes(snake) ? `${snake}_` : `r#${snake}`;
}

function variant(text) {
  const camel = text.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_, letter) => letter.toUpperCase());
  return /^[A-Z]/.test(camel) && camel !== 'Self' ? camel : `V${camel}`;
}
