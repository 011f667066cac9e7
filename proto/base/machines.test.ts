import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { MACHINES } from '../../scripts/generate/machines.ts';
import { isFinal, openStates, step } from './machine.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const ALL = Object.values(MACHINES).flat();

t.test('laws of all machines', async (t) => {
  for (const { name, initial, finals, transitions, heldBy } of ALL) {
    const states = Object.keys(transitions).toSorted();
    const from = (first: string): Set<string> => {
      const seen = new Set([first]);
      for (const state of seen) for (const next of Object.values(transitions[state] ?? {})) seen.add(next as string);
      return seen;
    };
    t.same([...from(initial)].toSorted(), states, `${name}: every state can be reached, none leads outside`);
    t.same(
      states.filter((state) => isFinal(transitions, state)),
      finals.toSorted(),
      `${name}: final states have no way out, all others have one`,
    );
    for (const state of openStates(transitions)) {
      const others = [...from(state)].filter((other) => other !== state);
      t.ok(others.length > 0, `${name}: ${state} can be left`);
      if (finals.length > 0)
        t.ok(
          others.some((other) => finals.includes(other)),
          `${name}: ${state} has a way to the end`,
        );
    }
    for (const state of states) {
      t.equal(step(transitions, state, 'NO_SUCH_EVENT'), null, `${name}: ${state} refuses`);
      t.equal(heldBy[state] === 'NOBODY', finals.includes(state), `${name}: ${state} is held by ${heldBy[state]}`);
      if (heldBy[state] === 'OUTSIDE') t.same(finals, [], `${name}: ${state} may last for ever`);
    }
  }
});

t.test('every table of the house is among them', async (t) => {
  const tables = globSync('{proto,media,agent,control-plane}/**/*.ts', {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist|gen|testing)$|\.test\.ts$/.test(name),
  })
    .flatMap((file) =>
      [
        ...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^export const (\w+): (?:Transitions|\w*Machine)</gm),
      ].map(([, name]) => `${file} ${name}`),
    )
    .toSorted();
  t.ok(tables.length > 20, `${tables.length} tables`);
  t.same(ALL.map(({ file, name }) => `${file} ${name}`).toSorted(), tables);
});

t.test('a state is written by way of its table only', async (t) => {
  const tables = new Set(ALL.map(({ file }) => path.basename(file)));
  const past = globSync('{agent,control-plane}/**/*.ts', {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist|gen|testing|test|dashboard)$|\.test\.ts$/.test(name),
  }).flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const uses = [...text.matchAll(/from '[^']*?([\w-]+\.ts)'/g)].some(([, from]) => tables.has(from ?? ''));
    const isOne = tables.has(path.basename(file));
    return uses || isOne ? [...text.matchAll(/[.#]state = '\w+'/g)].map(([write]) => `${file}: ${write}`) : [];
  });
  t.same(past, []);
});
