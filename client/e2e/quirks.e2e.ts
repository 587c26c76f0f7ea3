/**
 * WAYPOST_QUIRKS sets the number of random combinations, WAYPOST_QUIRKS_SEED the first seed; the name of each test has
 * its seed. WAYPOST_QUIRKS=table runs all flows with each quirk instead.
 */
import { test as base } from './fixtures';
import { describeScenario, INSTALLATIONS, type InstallationName, scenarioOf } from './quirks/scenario';
import { budgetOf, runScenario } from './quirks/story';
import { printHeading, ROWS, runRow } from './quirks/table';
import { startWaypost, type Waypost } from './servers';

const isTable = process.env['WAYPOST_QUIRKS'] === 'table';
const COUNT = isTable ? 0 : Number(process.env['WAYPOST_QUIRKS'] ?? 6);
const FIRST_SEED = Number(process.env['WAYPOST_QUIRKS_SEED'] ?? 1);

const test = base.extend<object, { installation: (name: InstallationName) => Promise<Waypost> }>({
  installation: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from here
    async ({}, use) => {
      const running = new Map<InstallationName, Promise<Waypost>>();
      await use(name => {
        const started = running.get(name) ?? start(name);
        running.set(name, started);
        return started;
      });
      await Promise.all([...running.values()].map(async each => (await each).stop()));
    },
    { scope: 'worker' },
  ],
});

function start(name: InstallationName): Promise<Waypost> {
  return startWaypost({ clientId: 'waypost', otherProvider: null, ...INSTALLATIONS[name] });
}

for (let seed = FIRST_SEED; seed < FIRST_SEED + COUNT; seed += 1) {
  const scenario = scenarioOf(seed);
  test(`seed ${seed}: ${describeScenario(scenario)}`, async ({ browser, installation }) => {
    test.setTimeout(budgetOf(scenario));
    const waypost = await installation(scenario.installation);
    const context = await browser.newContext({ baseURL: waypost.origin });
    await runScenario(await context.newPage(), waypost, scenario);
    await context.close();
  });
}

if (isTable) {
  test.describe.configure({ timeout: 1_200_000 });
  for (const row of ROWS) {
    test(row.name, async ({ browser, installation }) => {
      const waypost = await installation(row.installation);
      if (row === ROWS[0]) printHeading();
      await runRow(async () => (await browser.newContext({ baseURL: waypost.origin })).newPage(), waypost, row);
    });
  }
}
