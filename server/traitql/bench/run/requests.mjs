// Request bodies as clients send them: operation name, text of the trusted document, variables.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from './servers.mjs';

const manifest = JSON.parse(readFileSync(join(BENCH, 'operations/generated/manifest.json'), 'utf8'));
const documents = new Map(manifest.operations.map(operation => [operation.name, operation]));

export function bodyFor(subject, { operation, variables }, folder) {
  const body = subject === 'traitql-plans-hash' ? withHash(operation, variables) : withText(operation, variables);
  const file = join(folder, `${createHash('sha256').update(body).digest('hex')}.json`);
  writeFileSync(file, body);
  return file;
}

function withText(operation, variables) {
  return JSON.stringify({ operationName: operation, query: documents.get(operation).body, variables });
}

function withHash(operation, variables) {
  const { id } = documents.get(operation);
  const extensions = { persistedQuery: { version: 1, sha256Hash: id } };
  return JSON.stringify({ operationName: operation, variables, extensions });
}
