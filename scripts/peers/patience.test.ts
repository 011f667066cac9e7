/** Time counts while processors are idle, and a little otherwise. */
import t from 'tap';
import { IdlePatience, idleShare } from './patience.ts';

t.test('the idle part of a time', async (t) => {
  const rows: [string, Parameters<typeof idleShare>[0], Parameters<typeof idleShare>[1], number][] = [
    ['all idle', { idle: 10, all: 20 }, { idle: 30, all: 40 }, 1],
    ['all busy', { idle: 10, all: 20 }, { idle: 10, all: 40 }, 0],
    ['one of two', { idle: 10, all: 20 }, { idle: 20, all: 40 }, 0.5],
    ['no time has passed', { idle: 10, all: 20 }, { idle: 10, all: 20 }, 0],
    ['a system that does not say', null, null, 1],
  ];
  for (const [what, before, after, share] of rows) t.equal(idleShare(before, after), share, what);
});

t.test('a wait has an end', async (t) => {
  const patience = new IdlePatience(20);
  t.notOk(patience.isOver, 'not before any time has passed');
  while (!patience.isOver) await new Promise((resolve) => setTimeout(resolve, 10));
  t.ok(patience.isOver, 'and stays over');
  t.notOk(new IdlePatience().isOver);
});
