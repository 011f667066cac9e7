/** Windows in memory: when one ends, and how much it remembers. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { LIMITS, MAX_REMEMBERED } from './limits.ts';
import { NetworkLimit } from './networks.ts';
import { Windows, windowAt } from './windows.ts';

t.test('a window begins with its first count, and ends for all subjects together', async (t) => {
  const windows = new Windows(60_000);
  t.same([windows.add('a', 7_000), windows.add('a', 66_999), windows.add('b', 66_999)], [1, 2, 1]);
  t.same([windows.secondsLeft(7_000), windows.secondsLeft(65_999), windows.secondsLeft(66_999)], [60, 2, 1]);
  t.same([windows.of('a', 67_000), windows.add('b', 67_000, -1)], [0, -1]);
});

t.test('it remembers so many subjects, and goes on counting these', async (t) => {
  const windows = new Windows(60_000);
  for (let n = 0; n <= MAX_REMEMBERED; n++) windows.add(String(n), 0);
  t.same([windows.add('0', 0), windows.add(String(MAX_REMEMBERED), 0)], [2, 1]);
});

t.test('a window that replicas share begins at the same instant for all of them', async () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(60_000, 900_000), (nowMs, withinMs) => {
      const { start, secondsLeft } = windowAt(nowMs, withinMs);
      const leftMs = start.getTime() + withinMs - nowMs;
      return start.getTime() % withinMs === 0 && leftMs > 0 && secondsLeft === Math.max(1, Math.ceil(leftMs / 1000));
    }),
  );
});

t.test('a network over its limit waits until the end of the window; its reports are few and complete', async (t) => {
  const limit = new NetworkLimit(LIMITS.refusedRequests);
  const { max } = LIMITS.refusedRequests;
  const answers = Array.from({ length: 10 * max }, () => limit.count('2001:db8::7', 0));
  t.same([...new Set(answers.slice(0, max).map(({ waitSeconds }) => waitSeconds))], [0]);
  t.same([...new Set(answers.slice(max).map(({ waitSeconds }) => waitSeconds))], [60]);
  const news = answers.map((answer) => answer.news).filter((n) => n > 0);
  t.ok(news.length < 70, `${news.length} reports of ${10 * max}`);
  t.ok(news.reduce((sum, n) => sum + n, 0) > 9 * max, 'at most a tenth is not reported yet');
  t.equal(limit.count('2001:db8::ffff', 30_000).waitSeconds, 30, 'another address of its /64');
  t.equal(limit.count('2001:db8:0:1::7', 30_000).waitSeconds, 0, 'another network');
  t.equal(limit.count('2001:db8::7', 60_000).waitSeconds, 0, 'a minute later');
});

t.test('limits that are counted in one window have the same window', async (t) => {
  const { network, auditedOfKind } = LIMITS;
  const logIns = ['knownBrowser', 'session', 'accountFromNetwork', 'accountFromFailing', 'site', 'account'] as const;
  for (const name of logIns)
    t.equal(LIMITS[name].withinMs, network.withinMs, `${name}: attempts.ts counts all in one window`);
  t.equal(LIMITS.auditedOfNetwork.withinMs, auditedOfKind.withinMs, 'refusals.ts counts both in one window');
});
