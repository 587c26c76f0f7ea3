// Stored, so that tokens survive a restart.

import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @typedef {{ signing: object[], cookies: string[] }} Keys */

/**
 * Generates an RSA key. Node.js 20 hangs if the garbage collector runs while the `KeyObject` of a generated key is
 * exported, because both need the lock of that key. The key is therefore read again from its encoding.
 */
export function newRsaKey() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return createPrivateKey(privateKey);
}

export function newSigningKey() {
  return { ...newRsaKey().export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomBytes(6).toString('hex') };
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
