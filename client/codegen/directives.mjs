// Reads the directives of the schema for the local plugins. graphql-js keeps a definition's syntax node; directives of an
// `extend type` are on the extension's own field nodes, which graphql-js also keeps as the field's `astNode`.
import { Kind } from 'graphql';

const literal = node => {
  switch (node.kind) {
    case Kind.INT:
      return Number.parseInt(node.value, 10);
    case Kind.FLOAT:
      return Number.parseFloat(node.value);
    case Kind.LIST:
      return node.values.map(literal);
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(field => [field.name.value, literal(field.value)]));
    case Kind.NULL:
      return null;
    default:
      return node.value;
  }
};

/** The arguments of a directive as written, over the defaults of its definition; undefined when it is absent. */
export function directive(schema, element, name) {
  const found = element.astNode?.directives?.find(each => each.name.value === name);
  if (!found) return undefined;
  const values = {};
  for (const arg of schema.getDirective(name)?.args ?? []) {
    if (arg.astNode?.defaultValue) values[arg.name] = literal(arg.astNode.defaultValue);
  }
  for (const arg of found.arguments ?? []) values[arg.name.value] = literal(arg.value);
  return values;
}

/** The default value of an argument or input field as plain data; undefined when there is none. */
export const defaultOf = element => (element.astNode?.defaultValue ? literal(element.astNode.defaultValue) : undefined);

/** The fields of the three root types, in the order query, mutation, subscription. */
export function rootFields(schema) {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.flatMap(type => (type ? Object.values(type.getFields()).map(field => ({ type, field })) : []));
}

const identifier = /^[A-Za-z_$][\w$]*$/;

/** A TypeScript literal: keys bare where they may be, texts in single quotes, one entry per line at the first two levels. */
export function literalText(value, depth = 2, indent = '') {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map(each => literalText(each, 0)).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${identifier.test(key) ? key : `'${key}'`}: ${literalText(each, depth - 1, `${indent}  `)}`);
  if (entries.length === 0) return '{}';
  return depth > 0
    ? `{\n${entries.map(entry => `${indent}  ${entry},\n`).join('')}${indent}}`
    : `{ ${entries.join(', ')} }`;
}
