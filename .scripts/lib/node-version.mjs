const MINIMUM = [20, 19];

/**
 * Returns true if this Node.js is new enough; otherwise prints the required version and sets the exit code.
 * @param {string} command the command to run again
 */
export function nodeIsNewEnough(command) {
  const version = process.versions.node.split('.').map(Number);
  if (version[0] > MINIMUM[0] || (version[0] === MINIMUM[0] && version[1] >= MINIMUM[1])) return true;
  console.error(
    'Waypost requires Node.js ' +
      MINIMUM.join('.') +
      ' or newer, but this is ' +
      process.versions.node +
      '. Install it from https://nodejs.org, then run ' +
      command +
      ' again.',
  );
  process.exitCode = 1;
  return false;
}
