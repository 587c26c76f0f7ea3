const HEARTBEAT_MS = 10_000;

/**
 * Returns a function that runs one step, prints its start and its duration, and a line every ten seconds while it runs.
 * Steps may run at the same time.
 * @param {number} total
 * @returns {<T>(title: string, work: () => Promise<T>) => Promise<T>}
 */
export function steps(total) {
  let count = 0;
  return async (title, work) => {
    count += 1;
    const label = `[${count}/${total}] ${title}`;
    const started = Date.now();
    printLine(`${label} …`);
    const heartbeat = setInterval(() => printLine(`${label}: ${elapsed(started)} …`), HEARTBEAT_MS);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
      printLine(`${label}: ${elapsed(started)}`);
    }
  };
}

/**
 * Formats the time since `started`, in seconds.
 * @param {number} started
 */
export function elapsed(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}

/** Erases cargo's progress bar on a terminal first. */
function printLine(text) {
  process.stdout.write(`${process.stdout.isTTY ? '\r\x1B[K' : ''}${text}\n`);
}

export function announce(text) {
  console.log(`\n${text} …`);
}
