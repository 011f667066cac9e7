/** However an agent is started, it gets the same flags. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import t from 'tap';
import { NODE_FLAGS } from './young-generation.ts';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

t.test('where nothing can be imported, the flags are written as they are', (t) => {
  const line = NODE_FLAGS.join(' ');
  t.ok(textOf('agent/main.ts').startsWith(`#!/usr/bin/env -S node ${line}\n`), 'as a command');
  t.match(textOf('package.json'), `node ${line} agent/main.ts`, 'npm run agent');
  const list = ['node', ...NODE_FLAGS, 'agent/main.ts'].map((word) => JSON.stringify(word)).join(', ');
  t.match(textOf('agent/Dockerfile'), `CMD [${list}]`, 'in a container');
  t.end();
});

t.test('threads have the room that is meant for them, whatever the command line says of the main thread', async (t) => {
  const file = new URL('../testing/young-generation-start.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_FLAGS, file]);
  const [other = 0, signalling = 0] = stdout.trim().split('\n').map(Number);
  t.ok(other > 0 && other <= 9, `others two spaces of 4 MB: ${other}`);
  t.ok(signalling > 12 && signalling <= 18, `signalling threads two of 8: ${signalling}`);
});
