// Emits what the schema's directives demand of values, callers and states, as typed data: the client shows before a request
// exactly what the server would say after it.
import { isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { defaultOf, directive, literalText, rootFields } from './directives.mjs';

/** One argument or input field: its type, whether it must be given, and its rules. */
function ruleOf(schema, element) {
  const required = isNonNullType(element.type) && element.astNode?.defaultValue === undefined;
  let type = isNonNullType(element.type) ? element.type.ofType : element.type;
  const list = isListType(type);
  while (isListType(type) || isNonNullType(type)) type = type.ofType;
  return {
    type: type.name,
    kind: isInputObjectType(type) ? 'input' : isEnumType(type) ? 'enum' : 'scalar',
    required,
    list: list || undefined,
    default: defaultOf(element),
    length: directive(schema, element, 'length'),
    count: directive(schema, element, 'count'),
    range: directive(schema, element, 'range'),
    format: directive(schema, element, 'format')?.is,
  };
}

const rulesOf = (schema, elements) => Object.fromEntries(elements.map(each => [each.name, ruleOf(schema, each)]));

function accessOf(schema, field) {
  if (directive(schema, field, 'public')) return { to: 'PUBLIC' };
  const auth = directive(schema, field, 'auth') ?? {};
  return auth.role ? { to: auth.role, of: auth.of } : { to: 'SIGNED_IN' };
}

export function plugin(schema) {
  const inputs = {};
  const enums = {};
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) inputs[type.name] = rulesOf(schema, Object.values(type.getFields()));
    if (isEnumType(type) && !type.name.startsWith('__')) enums[type.name] = type.getValues().map(value => value.name);
  }
  const fields = {};
  const access = {};
  const transitions = {};
  for (const { field } of rootFields(schema)) {
    if (field.args.length > 0) fields[field.name] = rulesOf(schema, field.args);
    access[field.name] = accessOf(schema, field);
    const edge = directive(schema, field, 'transition');
    if (edge) transitions[field.name] = edge;
  }
  const roles = schema
    .getType('Role')
    .getValues()
    .map(value => value.name);
  const formats = schema.getType('Format').getValues();
  return `
/** What a value of an argument or input field must be like. */
export interface ValueRule {
  readonly type: string;
  readonly kind: 'scalar' | 'enum' | 'input';
  /** True when it must be given: not null and without a default. */
  readonly required: boolean;
  readonly list?: true;
  readonly default?: unknown;
  readonly length?: { readonly min: number; readonly max: number };
  readonly count?: { readonly min: number; readonly max: number };
  readonly range?: { readonly min?: number; readonly max?: number };
  readonly format?: FormatName;
}

/** The named forms of texts (\`@format\`). */
export type FormatName = ${formats.map(value => `'${value.name}'`).join(' | ')};

/** What each form means, as the schema describes it. */
export const formatDescriptions: Readonly<Record<FormatName, string>> = ${literalText(
    Object.fromEntries(formats.map(value => [value.name, value.description ?? ''])),
    1,
  )};

/** The rules of every input type's fields. */
export const inputRules = ${literalText(inputs)} as const satisfies Readonly<Record<string, Readonly<Record<string, ValueRule>>>>;

/** The rules of every root field's arguments. */
export const argumentRules = ${literalText(fields)} as const satisfies Readonly<Record<string, Readonly<Record<string, ValueRule>>>>;

/** The values of every enum, in the schema's order. */
export const enumValues = ${literalText(enums, 1)} as const;

/** The roles of a workspace from the least to the most; each includes the ones before it. */
export const roles = ${literalText(roles)} as const;

export type RoleName = (typeof roles)[number];

/** Who may call a root field. */
export const access = ${literalText(access, 1)} as const satisfies Readonly<
  Record<string, { readonly to: RoleName | 'SIGNED_IN' | 'PUBLIC'; readonly of?: string }>
>;

/** The edges of the state machines that mutations walk. */
export const transitions = ${literalText(transitions, 1)} as const;
`;
}
