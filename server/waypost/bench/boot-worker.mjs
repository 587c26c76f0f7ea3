import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, init } = workerData;

for (;;) {
  const started = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`The request failed: ${text}`);
  parentPort.postMessage(performance.now() - started);
  // At most 600 calls a minute are allowed.
  await sleep(100);
}
