/** When cached values may be used: bounded, recent enough, and never after a change. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { ACCESS_AGE_MS, ANSWER_AGE_MS, Memory } from './memory.ts';
import { Recent } from './recent.ts';

const KEYS = ['a1', 'a2', 'b1', 'b2'] as const;
const MAX_WEIGHT = 10;
const AGE_MS = 5;

t.test('what is kept is what a list of all uses says', (t) => {
  const key = fc.constantFrom(...KEYS);
  const step = fc.record({
    what: fc.constantFrom('put', 'get', 'get', 'forget', 'pass' as const),
    key,
    weight: fc.integer({ min: 1, max: MAX_WEIGHT + 2 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const recent = new Recent<number>(AGE_MS, MAX_WEIGHT);
      let model: { key: string; value: number; weight: number; untilMs: number }[] = [];
      let nowMs = 0;
      const without = (gone: (key: string) => boolean) => model.filter((one) => !gone(one.key));
      for (const [value, { what, key, weight }] of steps.entries()) {
        if (what === 'pass') nowMs += weight / 3;
        if (what === 'forget') {
          recent.forget(key[0] as string);
          model = without((one) => one.startsWith(key[0] as string));
        }
        if (what === 'put') {
          recent.put(key, value, weight, nowMs);
          model = without((one) => one === key);
          if (weight <= MAX_WEIGHT) model.push({ key, value, weight, untilMs: nowMs + AGE_MS });
          while (model.reduce((sum, one) => sum + one.weight, 0) > MAX_WEIGHT) model.shift();
        }
        if (what === 'get') {
          const found = model.find((one) => one.key === key && one.untilMs > nowMs);
          model = without((one) => one === key);
          if (found) model.push(found);
          if (recent.get(key, nowMs) !== found?.value) return false;
        }
        if (recent.weight !== model.reduce((sum, one) => sum + one.weight, 0)) return false;
      }
      return true;
    }),
  );
  t.end();
});

const counted = () => {
  const asked = { reads: 0 };
  const read = async () => ({ number: ++asked.reads });
  return { asked, read };
};

t.test('nothing is believed while nobody tells of changes', async (t) => {
  const memory = new Memory();
  const { read } = counted();
  await memory.access('key', read);
  t.same(await memory.access('key', read), { number: 2 });
  memory.believe(true);
  await memory.access('key', read);
  t.same(await memory.access('key', read), { number: 3 });
  memory.believe(false);
  t.same(await memory.access('key', read), { number: 4 });
});

t.test('nothing is believed for longer than its age, counted from the question', async (t) => {
  let nowMs = 0;
  const memory = new Memory(() => nowMs);
  memory.believe(true);
  const { read } = counted();
  await memory.access('key', async () => {
    nowMs += 500;
    return read();
  });
  await memory.answer('run', read, () => 1);
  nowMs = ACCESS_AGE_MS - 1;
  t.same(await memory.access('key', read), { number: 1 });
  nowMs = ACCESS_AGE_MS;
  t.same(await memory.access('key', read), { number: 3 });
  nowMs = 500 + ANSWER_AGE_MS - 1;
  t.same(await memory.answer('run', read, () => 1), { number: 2 });
  nowMs = 500 + ANSWER_AGE_MS;
  t.same(await memory.answer('run', read, () => 1), { number: 4 });
});

t.test('what was read across a change is not kept', async (t) => {
  for (const change of [(m: Memory) => m.forget(), (m: Memory) => m.forgetRun('run')]) {
    const memory = new Memory();
    memory.believe(true);
    const { read } = counted();
    const begun = Promise.withResolvers<void>();
    const under = memory.answer(
      'run 1',
      async () => {
        await begun.promise;
        return read();
      },
      () => 1,
    );
    change(memory);
    begun.resolve();
    t.same(await under, { number: 1 }, 'it is answered all the same');
    t.same(await memory.answer('run 1', read, () => 1), { number: 2 });
    t.same(await memory.answer('run 1', read, () => 1), { number: 2 });
  }
});

t.test('neither what is not there nor what may change is kept', async (t) => {
  const memory = new Memory();
  memory.believe(true);
  t.equal(await memory.access('key', async () => undefined), undefined);
  const { read } = counted();
  t.same(await memory.access('key', read), { number: 1 });
  await memory.answer('run', read, () => null);
  t.same(await memory.answer('run', read, () => null), { number: 3 });
});
