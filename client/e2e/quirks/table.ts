import type { Page } from '@playwright/test';
import { QUIRKS } from '../../dev/quirks.mjs';
import type { Waypost } from '../servers';
import {
  type Action,
  describeScenario,
  type Fault,
  INSTALLATIONS,
  type InstallationName,
  type QuirkSettings,
  type Scenario,
  scenario,
  type Way,
} from './scenario';
import { type Outcome, runScenario } from './story';

interface Row {
  name: string;
  installation: InstallationName;
  quirks: QuirkSettings;
  fault: Fault | null;
}

const WAYS: readonly Way[] = ['window', 'closed window', 'redirect'];

const ACTIONS: readonly Action[] = [
  'reload',
  'open a second tab',
  'renew with the refresh token',
  'renew in a frame',
  'renew in a window',
  'replace the keys',
  'sleep past the end',
  'open a tab without a session of the provider',
];

const COLUMNS = [...WAYS, ...ACTIONS, 'sign out', 'next person'];

/** Quirks that are faults, because a session is not possible while they last. They end before the next step. */
const FAULTS = new Set(['hangs', 'unavailable']);

/** DPoP requires another setting of the server; dpop.e2e.ts tests it. */
const OMITTED = new Set(['proofs']);

export const ROWS: readonly Row[] = [
  { name: 'none', installation: 'jwt', quirks: {}, fault: null },
  ...Object.entries(QUIRKS)
    .filter(([name]) => !OMITTED.has(name))
    .flatMap(([name, [, ...values]]) => values.map(value => row(name, value))),
  { name: 'outage', installation: 'jwt', quirks: {}, fault: { outage: true } },
];

function row(quirk: string, value: string): Row {
  const quirks = { [quirk]: value };
  const isFault = FAULTS.has(quirk);
  // Another issuer or another form of tokens requires other settings of the server.
  const installation = Object.entries(INSTALLATIONS).find(([, { quirks: own }]) => Reflect.get(own, quirk) === value);
  return {
    name: `${quirk}: ${value}`,
    installation: (installation?.[0] ?? 'jwt') as InstallationName,
    quirks: isFault ? {} : quirks,
    fault: isFault ? { quirks } : null,
  };
}

export function printHeading(): void {
  print(['quirk', ...COLUMNS]);
  print(['', ...COLUMNS].map(() => '---'));
}

/** Throws the errors of all stories. */
export async function runRow(newPage: () => Promise<Page>, waypost: Waypost, row: Row): Promise<void> {
  const outcomes = new Map<string, Outcome>();
  const failed = new Set<string>();
  const errors: Error[] = [];
  for (const way of WAYS) {
    const steps = way === 'redirect' ? ACTIONS.map(action => ({ action, fault: row.fault })) : [];
    const story: Scenario = scenario({ ...row, signIn: { way, fault: row.fault }, steps });
    const page = await newPage();
    const own = new Map<string, Outcome>();
    try {
      await runScenario(page, waypost, story, own);
    } catch (error) {
      const columns = [way, ...steps.map(({ action }) => action), 'sign out', 'next person'];
      failed.add(columns.find(column => !own.has(column)) ?? 'next person');
      errors.push(new Error(describeScenario(story), { cause: error }));
    }
    for (const [step, outcome] of own) outcomes.set(step, outcome);
    await page.context().close();
  }
  print([row.name, ...COLUMNS.map(column => (failed.has(column) ? '**FAILS**' : (outcomes.get(column) ?? '–')))]);
  if (errors.length > 0)
    throw new AggregateError(errors, errors.map(({ message, cause }) => `${message}\n${String(cause)}`).join('\n'));
}

function print(cells: readonly string[]): void {
  // oxlint-disable-next-line no-console -- the table is the output
  console.log(`| ${cells.join(' | ')} |`);
}
