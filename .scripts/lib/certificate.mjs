// Creates the certificates of tests.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrFail } from './processes.mjs';

/**
 * Writes `cert.pem`, `key.pem`, and both as `haproxy.pem`, for a host name. The certificate signs itself.
 * @param {string} folder
 * @param {string} host
 */
export async function writeCertificate(folder, host) {
  mkdirSync(folder, { recursive: true });
  const [cert, key] = ['cert.pem', 'key.pem'].map(name => join(folder, name));
  // rustls refuses the certificate of an authority as that of a server.
  const extensions = [`subjectAltName=DNS:${host}`, 'basicConstraints=critical,CA:FALSE'];
  const subject = ['-subj', `/CN=${host}`, ...extensions.flatMap(extension => ['-addext', extension])];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2'];
  await runOrFail('Creating a certificate', 'openssl', [...args, ...subject, '-keyout', key, '-out', cert], {
    output: 'collect',
  });
  writeFileSync(join(folder, 'haproxy.pem'), `${readFileSync(cert, 'utf8')}${readFileSync(key, 'utf8')}`);
  // HAProxy and nginx read it before they give up root.
  chmodSync(key, 0o644);
  return { cert, key };
}
