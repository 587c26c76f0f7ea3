// Stored, so that tokens survive a restart.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @typedef {{ signing: object[], cookies: string[] }} Keys */

export function newSigningKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomBytes(6).toString('hex') };
}

/**
 * Reads the keys from `file`, or generates and writes them if it does not exist.
 * @param {string | null} file null generates keys for this process only
 * @returns {Keys}
 */
export function loadKeys(file) {
  try {
    if (file !== null) return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT')
      throw new Error(`${file} could not be read as keys (${error.message}). Delete it to generate new ones.`, {
        cause: error,
      });
  }
  const keys = { signing: [newSigningKey()], cookies: [randomBytes(24).toString('hex')] };
  if (file !== null) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(keys), { mode: 0o600 });
  }
  return keys;
}
