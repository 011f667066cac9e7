/** Files of a pool: counts, the order in which they begin, and a program that outlives its file fails it by name. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { runPool } from './pool.ts';
import { programsOf } from './run-folder.ts';

const TAP = fileURLToPath(import.meta.resolve('tap'));
const dir = t.testdir();
const begun = path.join(dir, 'begun');
const file = (name: string, text: string): { file: string } => {
  const place = path.join(dir, `${name}.mjs`);
  const log = `appendFileSync(${JSON.stringify(begun)}, ${JSON.stringify(`${name} `)});`;
  writeFileSync(
    place,
    `import { spawn } from 'node:child_process'; import { appendFileSync } from 'node:fs'; import t from ${JSON.stringify(TAP)}; ${log} ${text}`,
  );
  return { file: place };
};

t.test('counts, order, and what is left', async (t) => {
  const said: string[] = [];
  const { log } = console;
  console.log = (text: string) => void said.push(text);
  const counts = await runPool(
    {
      waiting: [file('one', 't.pass(); t.pass();'), file('two', 't.fail("wrong");')],
      alone: [
        file('three', `t.pass(); spawn('sleep', ['1000'], { stdio: 'ignore', detached: true }).unref();`),
        file('four', 't.pass();'),
      ],
    },
    dir,
    new AbortController().signal,
  ).finally(() => {
    console.log = log;
  });
  t.same(counts, { passed: 4, failed: 2, skipped: 0 });
  t.match(readFileSync(begun, 'utf8'), /three four $/, 'one at a time, and after the others');
  t.match(said.join('\n'), /three.*1 FAILED.*It left a program: sleep 1000 \(\d+\)/s);
  t.same(programsOf(dir), [], 'it has been ended');
});

t.test('every file runs, whatever room there is', async (t) => {
  const names = ['a', 'b', 'c'];
  const rooms: Record<string, Parameters<typeof runPool>[3]> = {
    never: async (running) => {
      await Promise.all(running);
      return false;
    },
    always: async () => true,
  };
  for (const [what, room] of Object.entries(rooms)) {
    writeFileSync(begun, '');
    const tasks = { waiting: names.map((name) => file(name, 't.pass();')), computing: [file('d', 't.pass();')] };
    const counts = await runPool(tasks, dir, new AbortController().signal, room);
    t.same(counts, { passed: 4, failed: 0, skipped: 0 }, what);
    if (what === 'never') t.equal(readFileSync(begun, 'utf8'), 'a b c d ', 'in their order');
  }
});

t.test('a signal ends the files', async (t) => {
  const ending = new AbortController();
  const ended = runPool(
    { waiting: [file('long', 'setInterval(() => ending(), 10); const ending = () => undefined;')] },
    dir,
    ending.signal,
  );
  const start = readFileSync(begun, 'utf8');
  while (readFileSync(begun, 'utf8') === start) await new Promise((resolve) => setTimeout(resolve, 20));
  ending.abort('SIGTERM');
  await t.rejects(ended);
  t.same(programsOf(dir), []);
});
