// Emits the error catalogue: every code with its sentence, HTTP status, retry advice and slots, and which field may answer which code.
import { directive, literalText, rootFields } from './directives.mjs';

const slotsOf = say => [...say.matchAll(/\{(\w+)\}/g)].map(match => match[1]);

export function plugin(schema) {
  const catalogue = {};
  for (const value of schema.getType('ErrorCode').getValues()) {
    const { say, http, retry } = directive(schema, value, 'error');
    catalogue[value.name] = { say, http, retry, slots: [...new Set(slotsOf(say))] };
  }
  const throws = {};
  for (const { field } of rootFields(schema)) {
    throws[field.name] = directive(schema, field, 'throws')?.codes ?? [];
  }
  return `
/** Every code that \`extensions.code\` may carry: the sentence for people, its HTTP status, and what to do next. */
export const errorCatalogue = ${literalText(catalogue, 1)} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** What a client should do after an error. */
export type Retry = ${schema
    .getType('Retry')
    .getValues()
    .map(value => `'${value.name}'`)
    .join(' | ')};

/** The codes that a root field declares with \`@throws\`; the general ones (sign-in, rules, limits, outage) may always come. */
export const throws = ${literalText(throws, 1)} as const;

/** The declared codes of one root field, for an exhaustive \`switch\`. */
export type ThrownBy<Field extends keyof typeof throws> = (typeof throws)[Field][number];
`;
}
