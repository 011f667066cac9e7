/** An agent without a control plane: what it continues to do, and when it stores its facts. */
import t from 'tap';
import type { Gathered } from '../report/pending.ts';
import { Isolation } from './isolation.ts';

t.test(
  'held after a minute, stopped after two, saved when the last fact is told; once in each isolation',
  async (t) => {
    const log: string[] = [];
    const book = {
      isIdle: false,
      gathered: 'NOTHING' as Gathered,
      hold: (held: boolean) => log.push(`hold ${held}`),
      stopAll: () => log.push('stop'),
    };
    const isolation = new Isolation(book as never, () => log.push('save'));
    const at = (offlineMs: number): string[] => {
      isolation.watch(offlineMs);
      return log.splice(0);
    };
    t.same(at(0), []);
    t.same(at(60_000), []);
    t.same(at(60_001), ['hold true']);
    t.same(at(120_000), []);
    t.same(at(120_001), ['stop']);
    t.same(at(121_000), [], 'calls are ending');
    book.isIdle = true;
    book.gathered = 'FACTS';
    t.same(at(124_000), [], 'DONE has been told and has not been put into a batch');
    book.gathered = 'NOTHING';
    t.same(at(124_200), ['save']);
    t.same(at(500_000), []);
    t.same(at(0), []);
    t.same(at(130_000), ['hold true', 'stop', 'save'], 'the next time again');
  },
);
