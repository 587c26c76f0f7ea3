// The bodies of requests, as clients send them: name, text of the trusted document, variables.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from './servers.mjs';

const manifest = JSON.parse(readFileSync(join(BENCH, 'operations/generated/manifest.json'), 'utf8'));
const documents = new Map(manifest.operations.map(operation => [operation.name, operation]));

/** The file with the body of a request, in the form in which this contestant is asked. */
export function bodyFor(contestant, { operation, variables }, folder) {
  const asked = contestant === 'traitql-plans-hash' ? hashed(operation, variables) : spelled(operation, variables);
  const file = join(folder, `${createHash('sha256').update(asked).digest('hex')}.json`);
  writeFileSync(file, asked);
  return file;
}

function spelled(operation, variables) {
  return JSON.stringify({ operationName: operation, query: documents.get(operation).body, variables });
}

function hashed(operation, variables) {
  const { id } = documents.get(operation);
  const extensions = { persistedQuery: { version: 1, sha256Hash: id } };
  return JSON.stringify({ operationName: operation, variables, extensions });
}
