// traitql must report the changes of graphql-js (`findBreakingChanges`, `findDangerousChanges`) in `fixtures/diff`,
// with the same severity. Run from the root of the project, after `npm ci`:
//
//     node server/traitql/schema/tests/graphql-js-changes.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
} from 'graphql';

const here = import.meta.dirname;
const folder = join(here, 'fixtures/diff');
const DIRECTIVES = readFileSync(join(here, '../src/directives.graphql'), 'utf8');
const BASE = 'enum Role { VIEWER AUTHOR ADMIN } enum ErrorCode { NOT_FOUND TOUR_LIVE } enum Format { SLUG COLOR }';

/** The kinds of graphql-js and their equivalents in traitql. */
const KINDS = {
  TYPE_REMOVED: ['type_removed'],
  TYPE_CHANGED_KIND: ['type_kind_changed'],
  TYPE_REMOVED_FROM_UNION: ['member_removed'],
  VALUE_REMOVED_FROM_ENUM: ['enum_value_removed'],
  REQUIRED_INPUT_FIELD_ADDED: ['required_input_field_added'],
  IMPLEMENTED_INTERFACE_REMOVED: ['interface_removed'],
  FIELD_REMOVED: ['field_removed', 'input_field_removed'],
  FIELD_CHANGED_KIND: ['field_type_changed', 'field_became_nullable', 'input_field_type_changed'],
  REQUIRED_ARG_ADDED: ['required_argument_added'],
  ARG_REMOVED: ['argument_removed'],
  ARG_CHANGED_KIND: ['argument_type_changed'],
  DIRECTIVE_REMOVED: ['directive_removed'],
  DIRECTIVE_ARG_REMOVED: ['directive_argument_removed'],
  REQUIRED_DIRECTIVE_ARG_ADDED: ['required_directive_argument_added'],
  DIRECTIVE_REPEATABLE_REMOVED: ['directive_repeatable_removed'],
  DIRECTIVE_LOCATION_REMOVED: ['directive_location_removed'],
  VALUE_ADDED_TO_ENUM: ['enum_value_added_to_output'],
  TYPE_ADDED_TO_UNION: ['member_added'],
  OPTIONAL_INPUT_FIELD_ADDED: ['input_field_added'],
  OPTIONAL_ARG_ADDED: ['argument_added'],
  IMPLEMENTED_INTERFACE_ADDED: ['interface_added'],
  ARG_DEFAULT_VALUE_CHANGE: ['argument_default_changed', 'argument_became_required'],
};

/** Intentionally lower severities: traitql's kind, and the kinds of graphql-js it replaces. */
const MILDER = [
  // Clients only send the enum, so no client receives the new value.
  ['enum_value_added', /^VALUE_ADDED_TO_ENUM$/],
  // Clients only receive the enum, so no request contains the value.
  ['enum_value_removed_from_output', /^VALUE_REMOVED_FROM_ENUM$/],
  // Only schemas use the directive, so no document can be rejected because of it.
  ['schema_directive_changed', /DIRECTIVE/],
];

/** Returns the two schemas of a fixture, without documents and releases, which graphql-js does not compare. */
function schemas(text) {
  return text.split('#=== after\n').map(state => {
    const [first, ...files] = state.split(/^#--- /m);
    const schema = files.filter(file => file.startsWith('schema/')).map(file => file.slice(file.indexOf('\n')));
    const base = files.some(file => file.startsWith('schema/base.graphql')) ? '' : BASE;
    const sdl = [first, ...schema, DIRECTIVES, base].join('\n');
    return buildSchema(sdl, { assumeValid: true, assumeValidSDL: true });
  });
}

const problems = [];
const seen = new Set();
let compared = 0;
for (const file of readdirSync(folder).filter(name => name.endsWith('.graphql'))) {
  const [before, after] = schemas(readFileSync(join(folder, file), 'utf8'));
  const snapshot = readFileSync(join(folder, `changes@${file}.snap`), 'utf8');
  const ours = new Set([...snapshot.matchAll(/^ {4}(?:breaking|dangerous|safe) (\w+)$/gm)].map(found => found[1]));
  for (const { type, description } of [...findBreakingChanges(before, after), ...findDangerousChanges(before, after)]) {
    compared += 1;
    seen.add(type);
    const milder = MILDER.filter(([, types]) => types.test(type)).map(([kind]) => kind);
    if (![...KINDS[type], ...milder].some(kind => ours.has(kind)))
      problems.push(`${file}: graphql-js finds ${type} (${description}), traitql only ${[...ours].join(', ')}`);
  }
}
for (const type of [...Object.values(BreakingChangeType), ...Object.values(DangerousChangeType)]) {
  if (!seen.has(type)) problems.push(`no fixture shows ${type}`);
}
for (const problem of problems) console.error(problem);
console.log(`compared ${compared} changes that graphql-js finds: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
