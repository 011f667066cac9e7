#!/usr/bin/env node
/** `carillon-control-plane [COMMAND …]`: loads the file beside this one that has the command. */
import path from 'node:path';

/** The name -> what the first sentence of its file says. The bundle fills it in. */
const COMMANDS = {};

const [node, , name = 'start', ...args] = process.argv;
const file = { start: 'main', version: 'main', '--version': 'main' }[name] ?? (Object.hasOwn(COMMANDS, name) ? name : null);
if (file !== null) {
  const version = file === 'main' && name !== 'start' ? ['--version'] : [];
  process.argv = [node, path.join(import.meta.dirname, `${file}.js`), ...version, ...args];
  await import(`./${file}.js`);
} else if (name === 'help' || name === '--help') console.log(help());
else {
  console.error(`There is no command ${name}.\n\n${help()}`);
  process.exitCode = 1;
}

function help() {
  const rows = [['start', 'starts the control plane; so does no command'], ...Object.entries(COMMANDS), ['version', 'the version']];
  const lines = rows.map(([command, text]) => `  ${command.padEnd(14)} ${text}`);
  return ['carillon-control-plane COMMAND', '', ...lines].join('\n');
}
