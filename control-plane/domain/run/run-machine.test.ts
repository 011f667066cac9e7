/** The machines of a run and of its instances, beside the laws of all machines (proto/base/machines.test.ts). */
import { isFinal, step, type Transitions } from '@carillon/proto/base/machine.ts';
import t from 'tap';
import { INSTANCE, isInstanceOver } from './instance-machine.ts';
import { RUN } from './run-machine.ts';

const reachable = <S extends string, E extends string>(table: Transitions<S, E>, from: S): Set<S> => {
  const seen = new Set<S>([from]);
  for (const state of seen) for (const next of Object.values(table[state]) as S[]) seen.add(next);
  return seen;
};

t.test('machines of a run, beside the laws of all (proto/base/machines.test.ts)', async (t) => {
  for (const state of Object.keys(RUN.transitions) as (keyof typeof RUN.transitions)[]) {
    if (isFinal(RUN.transitions, state)) continue;
    t.ok(step(RUN.transitions, state, 'overdue'), `${state} has a way out when its time is up`);
    t.ok(step(RUN.transitions, state, 'broken'), `${state} has a way out when we fail`);
    t.equal(step(RUN.transitions, state, 'cancelled'), 'CANCELLED', `${state} can be cancelled`);
    t.notOk([...reachable(RUN.transitions, state)].slice(1).includes('PENDING'), 'no way leads back');
  }
  for (const state of Object.keys(INSTANCE.transitions) as (keyof typeof INSTANCE.transitions)[]) {
    if (!isInstanceOver(state))
      t.equal(step(INSTANCE.transitions, state, 'lost'), 'LOST', `a worker can be lost while ${state}`);
  }
});
