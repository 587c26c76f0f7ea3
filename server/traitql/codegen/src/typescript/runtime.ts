/**
 * Functions for the generated data in this folder: they check values against the constraints of the schema, compare
 * roles and states, and fill in messages. This file has no dependencies. The server checks the same constraints and
 * reports them with the same messages.
 */

/** A violated constraint of an input, in the format of `extensions.violations`. */
export interface Violation {
  /** Path of the value: an argument or field, then fields and zero-based indexes: `steps.2.title`. */
  readonly path: string;
  /** Message, to be appended to the path: `must not be empty`. */
  readonly problem: string;
  /** The violated rule: a `RuleName`, or another string from a newer server. */
  readonly rule: string;
  /** The values that the message contains: those of `RuleParams`. */
  readonly params: object;
}

/** The parameters of each rule, for clients that translate messages. */
export interface RuleParams {
  readonly required: object;
  readonly type: { readonly expected: ExpectedType; readonly field?: string };
  readonly enum: { readonly values: readonly string[] };
  readonly length: Bounds;
  readonly count: Bounds;
  readonly range: Bounds;
  readonly depth: { readonly max?: number; readonly leaves?: number };
  readonly format: { readonly format: FormatName };
}

export type RuleName = keyof RuleParams;

/** The violated bound of a length or count; both bounds of a range that has two. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** The type that a value should have. `KNOWN_FIELD` has the parameter `field`; only the server reports `SCALAR`. */
export type ExpectedType =
  | 'INTEGER'
  | 'INTEGER_RANGE'
  | 'NUMBER'
  | 'NUMBER_SIZE'
  | 'STRING'
  | 'NO_NUL'
  | 'BOOLEAN'
  | 'ID'
  | 'OBJECT'
  | 'ONE_OF'
  | 'KNOWN_FIELD'
  | 'SCALAR';

/** Constraints of an argument or of an input field. */
export interface ValueRule {
  /** The GraphQL type: `[String!]!`. */
  readonly type: string;
  /** The default value. */
  readonly default?: unknown;
  /** The values of an enum. */
  readonly values?: readonly string[];
  /** The constraints of an input object's fields. */
  readonly input?: () => InputRules;
  readonly length?: { readonly min: number; readonly max: number };
  readonly count?: { readonly min: number; readonly max: number };
  readonly range?: { readonly min?: number; readonly max?: number };
  readonly depth?: { readonly max: number; readonly leaves?: number };
  readonly format?: FormatName;
}

type ValueRules = Readonly<Record<string, ValueRule>>;

/** Constraints of an input object. */
export interface InputRules {
  /** Exactly one field must be present. */
  readonly oneOf?: true;
  readonly fields: ValueRules;
}

/** Access check of a root field: public, signed in, or a role on a subject. */
export type Access =
  | { readonly to: 'PUBLIC' }
  | {
      readonly to: 'SIGNED_IN';
      /** Maximum time since the caller last authenticated, in seconds. */
      readonly maxAge?: number;
      /** Level that the caller's last authentication must have reached. */
      readonly acr?: string;
    }
  | {
      readonly to: 'ROLE';
      readonly role: string;
      /** The subject's type, and the path of the argument that identifies it. */
      readonly of: string;
      readonly by: string;
      readonly maxAge?: number;
      readonly acr?: string;
    };

/** The state transition that a mutation performs. */
export interface Transition {
  readonly of: string;
  readonly from: readonly string[];
  readonly to: string;
}

/** Metadata of a field. */
export interface FieldMetadata {
  readonly args?: ValueRules;
  readonly access?: Access;
  /** The declared error codes. General codes (sign-in, constraints, rate limits, outages) can occur in addition. */
  readonly throws?: readonly string[];
  readonly transition?: Transition;
}

/** A value whose fields all occur in the rules. Their types are checked at run time. */
type ValueOf<Value, Rules> = Value & Readonly<Partial<Record<Exclude<keyof Value, keyof Rules>, never>>>;

/** Checks an input object. Paths start at its fields: `steps.0.title`. */
export function checkInput<Rules extends InputRules, Value extends object>(
  rules: Rules,
  value: ValueOf<Value, Rules['fields']>,
): Violation[] {
  const found: Violation[] = [];
  checkObject(rules, value, '', found);
  return found;
}

/** Checks the arguments of a field. Paths start at the arguments: `input.steps.0.title`. */
export function checkArguments<Args extends ValueRules, Value extends object>(
  field: { readonly args: Args },
  value: ValueOf<Value, Args>,
): Violation[] {
  const found: Violation[] = [];
  checkObject({ fields: field.args }, value, '', found);
  return found;
}

/** True if role `has` includes role `needs`. `roles` must be sorted from the lowest to the highest. */
export const isRoleEnough = <Role extends string>(roles: readonly Role[], has: Role, needs: NoInfer<Role>): boolean =>
  roles.indexOf(has) >= roles.indexOf(needs);

/** True if a mutation can start from this state. */
export const canTransition = (field: { readonly transition: Transition }, state: string): boolean =>
  field.transition.from.includes(state);

/** Fills in the slots of a message. Returns null if a value is missing. */
export function fillSlots(message: string, slots: Readonly<Record<string, string>>): string | null {
  let complete = true;
  const text = message.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    complete &&= Object.hasOwn(slots, name);
    return slots[name] ?? '';
  });
  return complete ? text : null;
}

type Note = <Rule extends RuleName>(rule: Rule, params: RuleParams[Rule], problem: string) => void;

function checkObject(rules: InputRules, value: unknown, path: string, found: Violation[]): void {
  const note = noteAt(path, found);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return note('type', { expected: 'OBJECT' }, 'must be an object');
  }
  const given = Object.entries(value).filter(([, each]) => each !== undefined);
  if (rules.oneOf && (given.length !== 1 || given[0]?.[1] === null)) {
    return note('type', { expected: 'ONE_OF' }, 'must have exactly one field, and its value must not be null');
  }
  for (const [name] of given) {
    if (!Object.hasOwn(rules.fields, name)) {
      note('type', { expected: 'KNOWN_FIELD', field: name }, `must not have the field \`${name}\``);
    }
  }
  const values = new Map<string, unknown>(given);
  for (const [name, rule] of Object.entries(rules.fields)) {
    const below = path === '' ? name : `${path}.${name}`;
    if (values.has(name)) checkValue(rule, rule.type, values.get(name), below, found, true);
    else if (rule.type.endsWith('!') && rule.default === undefined) noteAt(below, found)('required', {}, 'is required');
  }
}

/** `type` is the rule's type, or the type of the entries within a list. */
function checkValue(
  rule: ValueRule,
  type: string,
  value: unknown,
  path: string,
  found: Violation[],
  outermost: boolean,
): void {
  const note = noteAt(path, found);
  const required = type.endsWith('!');
  if (value === null || value === undefined) {
    if (required) note('required', {}, 'must not be null');
    return;
  }
  const inner = required ? type.slice(0, -1) : type;
  if (!inner.startsWith('[')) return checkNamed(rule, inner, value, path, found);
  // A single value is coerced to a list of one (GraphQL October 2021, section 3.11).
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  const count = rule.count && outermost ? violatedBound(entries.length, rule.count) : null;
  if (count) note('count', count, sizeProblem(count, 'entry', 'entries'));
  entries.forEach((entry, index) => checkValue(rule, inner.slice(1, -1), entry, `${path}.${index}`, found, false));
}

function checkNamed(rule: ValueRule, type: string, value: unknown, path: string, found: Violation[]): void {
  const note = noteAt(path, found);
  if (rule.input) {
    const rules = rule.input();
    if (rule.depth) {
      const { levels, leaves } = nesting(rules, value);
      const depth = rule.depth;
      if (levels > depth.max) {
        note('depth', { max: depth.max }, `must not be nested deeper than ${amount(depth.max, 'level', 'levels')}`);
      } else if (depth.leaves !== undefined && leaves > depth.leaves) {
        const objects = amount(depth.leaves, 'leaf object', 'leaf objects');
        note('depth', { leaves: depth.leaves }, `must not contain more than ${objects}`);
      }
    }
    return checkObject(rules, value, path, found);
  }
  if (rule.values) {
    const known = typeof value === 'string' && rule.values.includes(value);
    return known ? undefined : note('enum', { values: rule.values }, `must be one of ${rule.values.join(', ')}`);
  }
  const expected = expectedType(type, value);
  if (expected) return note('type', { expected }, typeProblems[expected]);
  const range = typeof value === 'number' && rule.range;
  if (range && ((range.min !== undefined && value < range.min) || (range.max !== undefined && value > range.max))) {
    note('range', range, rangeProblem(range));
  }
  const text = type === 'ID' ? String(value) : value;
  if (typeof text !== 'string') return;
  const length = rule.length && violatedBound([...text].length, rule.length);
  if (length) {
    note('length', length, length.min === 1 ? 'must not be empty' : sizeProblem(length, 'character', 'characters'));
  }
  if (rule.format && !hasFormat(rule.format, text)) {
    note('format', { format: rule.format }, formatProblems[rule.format]);
  }
}

const noteAt =
  (path: string, found: Violation[]): Note =>
  (rule, params, problem) => {
    found.push({ path, problem, rule, params });
  };

const typeProblems = {
  INTEGER: 'must be an integer',
  INTEGER_RANGE: 'must be an integer between -2147483648 and 2147483647',
  NUMBER: 'must be a number',
  STRING: 'must be a string',
  BOOLEAN: 'must be true or false',
  ID: 'must be a string or an integer',
};

/** Returns the type of a built-in scalar that the value does not have. Only the server can check custom scalars. */
function expectedType(type: string, value: unknown): keyof typeof typeProblems | null {
  switch (type) {
    case 'Int':
      if (!Number.isInteger(value)) return 'INTEGER';
      return Math.trunc(Number(value)) === (Number(value) | 0) ? null : 'INTEGER_RANGE';
    case 'Float':
      return Number.isFinite(value) ? null : 'NUMBER';
    case 'String':
      return isText(value) ? null : 'STRING';
    case 'Boolean':
      return typeof value === 'boolean' ? null : 'BOOLEAN';
    case 'ID':
      return isText(value) || Number.isSafeInteger(value) ? null : 'ID';
    default:
      return null;
  }
}

/** True for strings without lone surrogates, which cannot be encoded as UTF-8. */
const isText = (value: unknown): boolean => typeof value === 'string' && !/\p{Surrogate}/u.test(value);

interface Nesting {
  readonly levels: number;
  /** Number of objects that contain no other input object. */
  readonly leaves: number;
}

/** Measures the nesting of input objects. The value itself is the first level. */
function nesting(rules: InputRules, value: unknown): Nesting {
  if (Array.isArray(value)) return combined(value.map(each => nesting(rules, each)));
  if (typeof value !== 'object' || value === null) return combined([]);
  const inside = Object.entries(value).map(([name, each]) => {
    const inner = Object.hasOwn(rules.fields, name) ? rules.fields[name]?.input : undefined;
    return inner ? nesting(inner(), each) : combined([]);
  });
  const { levels, leaves } = combined(inside);
  return { levels: 1 + levels, leaves: Math.max(1, leaves) };
}

const combined = (all: readonly Nesting[]): Nesting => ({
  levels: Math.max(0, ...all.map(each => each.levels)),
  leaves: all.reduce((sum, each) => sum + each.leaves, 0),
});

const violatedBound = (size: number, { min, max }: Required<Bounds>): Bounds | null =>
  size < min ? { min } : size > max ? { max } : null;

const sizeProblem = ({ min, max = 0 }: Bounds, one: string, other: string): string =>
  min === undefined ? `must have at most ${amount(max, one, other)}` : `must have at least ${amount(min, one, other)}`;

const amount = (number: number, one: string, other: string): string => `${number} ${number === 1 ? one : other}`;

function rangeProblem({ min, max }: Bounds): string {
  if (min === undefined) return `must be at most ${max}`;
  return max === undefined ? `must be at least ${min}` : `must be between ${min} and ${max}`;
}

/** The names of `@format`. */
export type FormatName = keyof typeof formats;

/** True if a string matches a format. */
export const hasFormat = (format: FormatName, text: string): boolean => formats[format](text);

// The server uses Unicode's White_Space property, which differs from `\s`.
const white = /\p{White_Space}/u;
const control = /\p{Cc}/u;
const unprintable = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u;

const formats = {
  SLUG: (text: string): boolean => text.length >= 2 && text.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text),
  KEY: (text: string): boolean => /^[a-z][a-z0-9_-]{0,39}$/.test(text),
  ORIGIN: isOrigin,
  ORIGIN_PATTERN: isOriginPattern,
  COLOR: (text: string): boolean => /^#[0-9a-fA-F]{6}$/.test(text),
  EMAIL: (text: string): boolean => /^[^@]+@[^@]+$/.test(text) && !white.test(text),
  LOCALE: (text: string): boolean => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(text),
  PATH_PATTERN: (text: string): boolean => text.startsWith('/') && !white.test(text) && !control.test(text),
  SELECTOR: (text: string): boolean => /\P{White_Space}/u.test(text) && !control.test(text),
  LINE: (text: string): boolean => !unprintable.test(text),
  TEXT: (text: string): boolean => !unprintable.test(text.replace(/[\n\r\t]/g, '')),
};

const formatProblems: Readonly<Record<FormatName, string>> = {
  SLUG: 'must be 2 to 40 lowercase letters, digits and single hyphens, starting with a letter',
  KEY: 'must be 1 to 40 lowercase letters, digits, `-` and `_`, starting with a letter',
  ORIGIN: 'must be an origin such as `https://app.example.com`: https, or http on a loopback host, without a path',
  ORIGIN_PATTERN: 'must be an origin such as `https://app.example.com` or `https://*.example.com`, without a path',
  COLOR: 'must be a color such as `#2f5bea`',
  EMAIL: 'must be an email address',
  LOCALE: 'must be a language tag such as `de-CH`',
  PATH_PATTERN: 'must be a path that starts with `/`; `*` matches any characters',
  SELECTOR: 'must be a selector without control characters',
  LINE: 'must be one line without control characters',
  TEXT: 'must not contain control characters except line breaks and tabs',
};

/** True for values of the `Origin` header that are allowed: https, or http on a loopback host. */
function isOrigin(text: string): boolean {
  if (text.includes('*') || !URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const loopback =
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && loopback));
}

/** True for http and https origins, also with `*.` in front of a domain of at least two labels or `localhost`. */
function isOriginPattern(text: string): boolean {
  const plain = text.replace('://*.', '://');
  if (plain.includes('*') || !URL.canParse(plain)) return false;
  const { origin, protocol, hostname } = new URL(plain);
  const isParent = hostname === 'localhost' || /^(?!\d+(\.\d+){3}$)[^.[]+(\.[^.[]+)+$/.test(hostname);
  return origin === plain && (protocol === 'https:' || protocol === 'http:') && (plain === text || isParent);
}
