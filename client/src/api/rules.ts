/**
 * Checks values by the rules that the schema declares, before they are sent: the same rules, paths and words as the
 * server's, which checks them again.
 */
import { argumentRules, enumValues, inputRules, type FormatName, type ValueRule } from '../generated/rules';
import type { Violation } from './errors';

type Rules = Readonly<Record<string, ValueRule>>;

export type InputName = keyof typeof inputRules;
export type FieldName = keyof typeof argumentRules;

/** Checks one input object; paths begin at its fields: `steps.0.title`. */
export const checkInput = (name: InputName, value: object): Violation[] => checkFields(inputRules[name], value, '');

/** Checks the arguments of a root field; paths begin at the arguments. */
export const checkArguments = (field: FieldName, value: object): Violation[] =>
  checkFields(argumentRules[field], value, '');

/** Whether a text has a named form. */
export const hasFormat = (format: FormatName, text: string): boolean => formats[format](text);

function checkFields(rules: Rules, value: object, prefix: string): Violation[] {
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries(rules).flatMap(([name, rule]) => checkValue(rule, fields[name], `${prefix}${name}`));
}

function checkValue(rule: ValueRule, value: unknown, path: string): Violation[] {
  if (value === undefined || value === null) {
    return rule.required ? [{ path, problem: 'is required', rule: 'required' }] : [];
  }
  if (!rule.list) return checkOne(rule, value, path);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  const found: Violation[] = [];
  if (rule.count) {
    const problem = countProblem(entries.length, rule.count.min, rule.count.max);
    if (problem) found.push({ path, problem, rule: 'count' });
  }
  return [...found, ...entries.flatMap((entry, index) => checkOne(rule, entry, `${path}.${index}`))];
}

function checkOne(rule: ValueRule, value: unknown, path: string): Violation[] {
  const found: Violation[] = [];
  const add = (name: string, problem: string | null) => {
    if (problem) found.push({ path, problem, rule: name });
  };
  switch (rule.kind) {
    case 'input':
      return typeof value === 'object' && value !== null
        ? checkFields(inputRules[rule.type as InputName], value, `${path}.`)
        : [{ path, problem: 'is required', rule: 'required' }];
    case 'enum': {
      const values: readonly string[] = enumValues[rule.type as keyof typeof enumValues];
      if (!values.includes(String(value))) add('enum', `must be one of ${values.join(', ')}`);
      return found;
    }
    case 'scalar':
      if (rule.length && typeof value === 'string') {
        add('length', lengthProblem([...value].length, rule.length.min, rule.length.max));
      }
      if (rule.range) add('range', rangeProblem(Number(value), rule.range));
      if (rule.type === 'Int' && !Number.isInteger(value)) add('type', 'must be a whole number');
      if (rule.format && typeof value === 'string' && !hasFormat(rule.format, value)) {
        add('format', formatProblems[rule.format]);
      }
      return found;
    default:
      return rule.kind satisfies never;
  }
}

function lengthProblem(length: number, min: number, max: number): string | null {
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
  if (length > max) return `must have at most ${max} characters`;
  return null;
}

function countProblem(count: number, min: number, max: number): string | null {
  if (count < min) return `must have at least ${min} ${min === 1 ? 'entry' : 'entries'}`;
  if (count > max) return `must have at most ${max} entries`;
  return null;
}

function rangeProblem(value: number, { min, max }: NonNullable<ValueRule['range']>): string | null {
  const low = min !== undefined && !(value >= min);
  const high = max !== undefined && !(value <= max);
  if (!low && !high) return null;
  if (min !== undefined && max !== undefined) return `must be between ${min} and ${max}`;
  return low ? `must be at least ${min}` : `must be at most ${max}`;
}

const formatProblems: Readonly<Record<FormatName, string>> = {
  SLUG: 'must be 2 to 40 lower-case letters, digits and single hyphens, beginning with a letter',
  KEY: 'must be 1 to 40 lower-case letters, digits, `-` and `_`, beginning with a letter',
  ORIGIN: 'must be an origin such as `https://app.example.com`: https, or http on a loopback host, without a path',
  COLOR: 'must be a colour such as `#2f5bea`',
  EMAIL: 'must be an e-mail address',
  LOCALE: 'must be a language tag such as `de-CH`',
  PATH_PATTERN: 'must be a path that begins with `/`, in which `*` stands for any characters',
  SELECTOR: 'must be a selector without control characters',
};

// eslint-disable-next-line no-control-regex -- these are what the form forbids
const control = /[\u0000-\u001f\u007f-\u009f]/;

const formats: Readonly<Record<FormatName, (text: string) => boolean>> = {
  SLUG: text => text.length >= 2 && text.length <= 40 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text),
  KEY: text => /^[a-z][a-z0-9_-]{0,39}$/.test(text),
  ORIGIN: isOrigin,
  COLOR: text => /^#[0-9a-fA-F]{6}$/.test(text),
  EMAIL: text => /^[^\s@]+@[^\s@]+$/.test(text),
  LOCALE: text => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(text),
  PATH_PATTERN: text => text.startsWith('/') && !/\s/.test(text) && !control.test(text),
  SELECTOR: text => text.trim() !== '' && !control.test(text),
};

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const loopback = hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && loopback));
}
