/** However an agent is started, it gets the same flags. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import t from 'tap';
import type { HeapGrowth } from '../testing/heap-thread.ts';
import { NODE_FLAGS } from './heap.ts';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

t.test('where nothing can be imported, the flags are written as they are', (t) => {
  const line = NODE_FLAGS.join(' ');
  t.ok(textOf('agent/main.ts').startsWith(`#!/usr/bin/env -S node ${line}\n`), 'as a command');
  t.match(textOf('package.json'), `node ${line} agent/main.ts`, 'npm run agent');
  t.match(textOf('integrations/kubernetes/agents.yaml'), `node ${line} agent/main.ts`, 'on Kubernetes');
  const list = ['node', ...NODE_FLAGS, 'agent/main.ts'].map((word) => JSON.stringify(word)).join(', ');
  t.match(textOf('agent/Dockerfile'), `CMD [${list}]`, 'in a container');
  t.end();
});

t.test('threads have the room that is meant for them, whatever the command line says of the main thread', async (t) => {
  const file = new URL('../testing/heap-start.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_FLAGS, file]);
  const [other, signalling] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as HeapGrowth);
  const { youngMiB, collections } = other as HeapGrowth;
  t.ok(youngMiB > 0 && youngMiB <= 13, `others two spaces of 4 MB, and a third while V8 copies: ${youngMiB}`);
  t.ok(collections > 0, `V8 collects what others drop: ${collections}`);
  t.ok(
    signalling!.youngMiB > 24 && signalling!.youngMiB <= 49,
    `signalling threads two or three of 16: ${signalling!.youngMiB}`,
  );
  t.equal(signalling!.collections, 0, 'they may have 128 MB of old objects before V8 collects');
});
