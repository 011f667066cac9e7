/** The log of a terminal session stays below its limit; two processes write to it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { openTerminalLog } from './terminal-log.ts';

t.test('it is cut when it is too long, and both writers go on', async (t) => {
  const file = path.join(t.testdir(), 'carillon.log');
  const log = openTerminalLog(file, 100);
  const child = (text: string) => execFileSync('echo', [text], { stdio: ['ignore', log.fd, 'ignore'] });
  child('short');
  log.check();
  t.equal(readFileSync(file, 'utf8'), 'short\n', 'not before the limit');
  t.notOk(existsSync(`${file}.1`));
  writeSync(log.fd, `${'a'.repeat(120)}\n`);
  log.check();
  t.equal(statSync(file).size, 0);
  t.equal(readFileSync(`${file}.1`, 'utf8'), `short\n${'a'.repeat(120)}\n`);
  writeSync(log.fd, 'ours\n');
  child('of the agent');
  t.equal(readFileSync(file, 'utf8'), 'ours\nof the agent\n', 'from the start of the file');
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.equal(statSync(`${file}.1`).mode & 0o777, 0o600);
});

t.test('what an earlier start left is cut when the next begins', async (t) => {
  const file = path.join(t.testdir({ 'carillon.log': 'b'.repeat(200) }), 'carillon.log');
  openTerminalLog(file, 100);
  t.equal(statSync(file).size, 0);
  t.equal(statSync(`${file}.1`).size, 200);
});
