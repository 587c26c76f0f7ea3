// The trusted documents of Waypost's client.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../.scripts/lib/processes.mjs';

const manifest = JSON.parse(readFileSync(join(ROOT, 'operations/generated/manifest.json'), 'utf8'));
const documents = new Map(manifest.operations.map(operation => [operation.name, operation]));

export function request(operation, variables) {
  const sha256Hash = documents.get(operation).id;
  return JSON.stringify({
    operationName: operation,
    variables,
    extensions: { persistedQuery: { version: 1, sha256Hash } },
  });
}
