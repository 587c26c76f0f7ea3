// Written for every Node.js that knows modules, because it is what tells people that theirs is too old.

const MINIMUM = [20, 19];

/** False, with one sentence, when this Node.js is too old for what comes next. */
export function nodeIsNewEnough(command) {
  const version = process.versions.node.split('.').map(Number);
  if (version[0] > MINIMUM[0] || (version[0] === MINIMUM[0] && version[1] >= MINIMUM[1])) return true;
  console.error(
    'Waypost needs Node.js ' +
      MINIMUM.join('.') +
      ' or newer, and this is ' +
      process.versions.node +
      '. Install it from https://nodejs.org, then run ' +
      command +
      ' again.',
  );
  process.exitCode = 1;
  return false;
}
