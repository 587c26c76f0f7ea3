/**
 * Returns the options of an npm script. Prints the help and exits if an option is unknown or is `--help`.
 * @param {string} command for example `npm start`
 * @param {string} help
 * @param {readonly string[]} [known] the options other than `--help`
 */
export function readOptions(command, help, known = []) {
  const options = process.argv.slice(2);
  const unknown = options.find(option => option !== '--help' && !known.includes(option));
  if (unknown !== undefined) console.error(`${command} has no option ${unknown}.\n`);
  if (unknown !== undefined || options.includes('--help')) {
    console.log(help);
    process.exit(unknown === undefined ? 0 : 2);
  }
  return options;
}
