/** Orders to a signalling thread whose engine is still loading, and failures on the way. */
import t from 'tap';
import { sharePlan } from '../../testing/run/pair.ts';
import { type OrderedShare, OrderRouter } from './order-router.ts';

class RecordedShare implements OrderedShare {
  readonly told: string[] = [];
  readonly prepared: Promise<void>;
  constructor(prepared: Promise<void> = Promise.resolve()) {
    this.prepared = prepared;
  }
  prepare(): Promise<void> {
    this.told.push('prepare');
    return this.prepared;
  }
  start(atMs: number): void {
    this.told.push(`start ${atMs}`);
  }
  finish(): void {
    this.told.push('finish');
  }
  stop(reason: string): void {
    this.told.push(`stop ${reason}`);
  }
  breakOff(untilMs: number): void {
    this.told.push(`breakOff ${untilMs}`);
  }
  changeLoad(steps: readonly object[]): void {
    this.told.push(`changeLoad ${steps.length}`);
  }
  hold(held: boolean): void {
    this.told.push(`hold ${held}`);
  }
}

const plan = (owner: number) => ({ ...sharePlan('CALLER', {}), owner });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function router(engineFor: (owner: number) => string | Promise<string>, open: (owner: number) => RecordedShare) {
  const refusals: string[] = [];
  const faults: string[] = [];
  const router = new OrderRouter<string, RecordedShare>({
    engineFor: ({ owner }) => engineFor(owner),
    open: ({ owner }) => open(owner),
    refuse: (owner, code, reason) => refusals.push(`${owner} ${code} ${reason}`),
    onFault: (error) => faults.push((error as Error).message),
  });
  return { router, refusals, faults };
}

t.test('what comes while the engine is loaded is done in order, and a hold is not missed', async (t) => {
  const library = Promise.withResolvers<string>();
  const shares = [new RecordedShare(), new RecordedShare()];
  const {
    router: orders,
    refusals,
    faults,
  } = router(
    (owner) => (owner === 1 ? library.promise : 'core'),
    (owner) => shares[owner] as RecordedShare,
  );
  orders.obey({ op: 'allocate', plan: plan(0) });
  orders.obey({ op: 'allocate', plan: plan(1) });
  orders.obey({ op: 'start', owner: 0, startAtMs: 5 });
  orders.obey({ op: 'start', owner: 1, startAtMs: 5 });
  orders.obey({ op: 'hold', held: true });
  orders.obey({ op: 'stop', owner: 1, reason: 'enough' });
  t.same(shares[0]?.told, ['prepare', 'start 5', 'hold true'], 'the others go on meanwhile');
  t.same(shares[1]?.told, []);
  library.resolve('sip.js');
  await settled();
  t.same(shares[1]?.told, ['hold true', 'prepare', 'start 5', 'stop enough']);
  orders.obey({ op: 'hold', held: false });
  orders.obey({ op: 'finish', owner: 1 });
  t.same(shares[1]?.told.slice(4), ['hold false', 'finish'], 'and at once from then on');
  t.same([refusals, faults], [[], []]);
});

t.test('what fails refuses its allocation, and ends nothing else', async (t) => {
  const {
    router: orders,
    refusals,
    faults,
  } = router(
    (owner) => (owner === 1 ? Promise.reject(new Error('no such library')) : Promise.resolve('sip.js')),
    (owner) => {
      if (owner === 2) throw new Error('no share');
      return new RecordedShare(owner === 3 ? Promise.reject(new Error('no ports')) : Promise.resolve());
    },
  );
  for (const owner of [1, 2, 3, 4]) orders.obey({ op: 'allocate', plan: plan(owner) });
  orders.obey({ op: 'start', owner: 1, startAtMs: 1 });
  orders.obey({ op: 'start', owner: 4, startAtMs: 1 });
  await settled();
  t.same(refusals.sort(), ['1 ENGINE no such library', '2 INTERNAL no share', '3 INTERNAL no ports']);
  t.same(faults.sort(), ['no ports', 'no share'], 'a missing library is not our fault');
  t.same([...orders.shares.keys()], [4]);
  t.same(orders.shares.get(4)?.told, ['prepare', 'start 1']);
});
