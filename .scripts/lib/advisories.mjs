// Checks the locked npm packages for known vulnerabilities and deprecations. Those of crates are checked by
// `cargo deny` in the GitHub workflow, because crates.io does not serve them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './processes.mjs';

/**
 * Advisories that do not concern Waypost, with the reason.
 * @type {Readonly<Record<string, string>>}
 */
const ACCEPTED = {};

/**
 * Returns the problems of the packages that are installed in production, and the reason if the registry does not serve
 * advisories.
 * @returns {Promise<{ problems: string[], skipped: string | null }>}
 */
export async function advisoryProblems() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const deprecated = deprecations(packages);
  const { output } = await run('npm', ['audit', '--omit=dev', '--json'], { output: 'collect' });
  const report = readReport(output);
  if (report?.auditReportVersion === undefined) {
    return { problems: deprecated, skipped: report?.message || 'npm audit returned no report' };
  }
  return { problems: [...deprecated, ...advisories(report, ACCEPTED)], skipped: null };
}

/** npm can print warnings around its report. */
function readReport(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}

/**
 * Returns the advisories of a report of `npm audit --json`.
 * @param {{ vulnerabilities: Record<string, { via: (string | { url: string, title: string, severity: string })[] }> }} report
 * @param {Readonly<Record<string, string>>} accepted reasons by the URL of the advisory
 * @returns {string[]}
 */
export function advisories({ vulnerabilities }, accepted) {
  const found = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
    // A text is the name of a package that brings the vulnerability, which has its own entry.
    via.flatMap(cause => (typeof cause === 'string' ? [] : [{ name, ...cause }])),
  );
  const urls = new Set(found.map(({ url }) => url));
  const open = found
    .filter(({ url }) => !(url in accepted))
    .map(
      ({ name, title, severity, url }) =>
        `${name}: ${title} (${severity}, ${url}). Update it, or accept it with a reason.`,
    );
  const obsolete = Object.keys(accepted)
    .filter(url => !urls.has(url))
    .map(url => `${url} is accepted, but no package has it any more. Remove it.`);
  return [...open, ...obsolete];
}

/**
 * Returns the locked packages that their authors have deprecated.
 * @param {Record<string, { version?: string, deprecated?: string }>} packages those of package-lock.json
 * @returns {string[]}
 */
export function deprecations(packages) {
  return Object.entries(packages).flatMap(([path, { version, deprecated }]) =>
    deprecated === undefined
      ? []
      : [`${path.replace(/^.*node_modules\//, '')} ${version} is deprecated: ${deprecated} Replace or update it.`],
  );
}
