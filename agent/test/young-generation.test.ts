/** However an agent is started, it is started with the same flags. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { NODE_FLAGS } from '../young-generation.ts';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

t.test('where nothing can be imported, the flags are written as they are', (t) => {
  const line = NODE_FLAGS.join(' ');
  t.ok(textOf('agent/main.ts').startsWith(`#!/usr/bin/env -S node ${line}\n`), 'as a command');
  t.match(textOf('package.json'), `node ${line} agent/main.ts`, 'npm run agent');
  const list = ['node', ...NODE_FLAGS, 'agent/main.ts'].map((word) => JSON.stringify(word)).join(', ');
  t.match(textOf('agent/Dockerfile'), `CMD [${list}]`, 'in a container');
  t.end();
});
