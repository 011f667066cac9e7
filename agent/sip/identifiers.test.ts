/** Identifiers: unique, and safe to paste into a command line. */
import t from 'tap';
import { Identifiers } from './identifiers.ts';

const ENGINES = 2000;

t.test('Call-IDs and tags of many engines', async (t) => {
  const all = Array.from({ length: ENGINES }, () => new Identifiers('192.0.2.1')).flatMap((identifiers) => [
    identifiers.callId(),
    identifiers.callId(),
    identifiers.tag(),
  ]);
  t.equal(new Set(all).size, 3 * ENGINES, 'no two are equal');
  t.same(
    all.filter((text) => !/^\w/.test(text)),
    [],
    'a command line does not take one for an option',
  );
});
