/** A call in words, and its place in a list. */
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { causeWords } from '../heard/finding-words.ts';
import { type CallEnding, calledWords, endingWords } from './call-words.ts';
import {
  listQueryOf,
  neighboursOf,
  pagesAround,
  placedQueryOf,
  placeIn,
  placeOf,
  SEARCHED_PAGES,
} from './endpoint-search.ts';

t.test('a called address is a number at a host', async (t) => {
  const cases: readonly (readonly [uri: string, number: string, host: string])[] = [
    ['sip:+49301@pbx.example', '+49301', 'pbx.example'],
    ['sips:+49301@pbx.example:5061;transport=tls', '+49301', 'pbx.example:5061'],
    ['sip:+49301;phone-context=x@192.0.2.1', '+49301', '192.0.2.1'],
    ['SIP:a@b@[2001:db8::1]:5060?subject=x', 'a@b', '[2001:db8::1]:5060'],
    ['sip:pbx.example;lr', 'pbx.example', ''],
    ['tel:+49301;ext=7', '+49301', ''],
    ['', '', ''],
  ];
  for (const [uri, number, host] of cases) t.same(calledWords(uri), { number, host }, uri);
});

t.test('a call in a list says what became of it, and why', async (t) => {
  const none = { outcome: null, failure: null, finalStatus: null };
  const failure = {
    cause: 'REJECTED',
    party: 'network',
    sipStatus: 503,
    reason: 'Service Unavailable',
    q850: 34,
  } as const;
  const cases: readonly (readonly [CallEnding, string, string, string])[] = [
    [{ ...none, outcome: 'SUCCESS', finalStatus: 200, finalReason: 'OK' }, 'good', 'Success', '200 OK'],
    [{ ...none, outcome: 'SUCCESS' }, 'good', 'Success', ''],
    [{ ...none, phase: 'RINGING', finalStatus: null }, 'accent', 'Ringing', ''],
    [
      { outcome: 'CALL_FAILED', failure, finalStatus: 503 },
      'bad',
      '503 Service Unavailable',
      'Q.850 cause 34: No circuit available · caused by the network',
    ],
    [
      {
        outcome: 'CALL_FAILED',
        failure: { ...failure, sipStatus: null, q850: null, cause: 'TIMEOUT' },
        finalStatus: null,
      },
      'bad',
      causeWords('TIMEOUT'),
      'caused by the network',
    ],
    [
      {
        outcome: 'CALL_FAILED',
        failure: { ...failure, sipStatus: null, q850: null, cause: 'NO_AUDIO' },
        finalStatus: 200,
        finalReason: 'OK',
      },
      'bad',
      causeWords('NO_AUDIO'),
      '200 OK · caused by the network',
    ],
  ];
  for (const [ending, tone, title, why] of cases) t.same(endingWords(ending), { tone, title, why }, title);
});

t.test('a call has its neighbours of the list, by its place or where the list has moved it', async (t) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: -1, max: 1 }),
      (ids, any, perPage, moved) => {
        const n = any % ids.length;
        const at = Math.max(0, n + moved);
        const pages = pagesAround(at, perPage);
        t.ok(pages.length <= 3 && pages.every((page) => page >= 0));
        const within = pages.flatMap((page) => Array.from({ length: perPage }, (_, i) => page * perPage + i));
        const rowAt = (i: number) => {
          const id = within.includes(i) ? ids[i] : undefined;
          return id === undefined ? undefined : { id };
        };
        const found = neighboursOf(rowAt, { at, id: ids[n] as string, within });
        t.equal(found?.at, n);
        // A moved call may be at the edge of what is known; one at its place knows both neighbours.
        if (moved !== 0) return;
        t.same([found?.previous?.id, found?.next?.id], [ids[n - 1], ids[n + 1]]);
      },
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.nat(80),
      fc.integer({ min: 1, max: 7 }),
      async (ids, any, at, perPage) => {
        const n = any % ids.length;
        const asked: number[] = [];
        const rowsOf = async (page: number) => {
          asked.push(page);
          return ids.slice(page * perPage, (page + 1) * perPage).map((id) => ({ id }));
        };
        const place = await placeIn(rowsOf, { at, id: ids[n] as string, perPage });
        // Near its place, or on one of the pages that are searched.
        const isNear = Math.abs(at - n) <= 1;
        t.equal(place, isNear || n < SEARCHED_PAGES * perPage ? n : null);
        t.equal(new Set(asked).size, asked.length, 'no page is asked twice');
        if (isNear) t.ok(asked.length <= 2);
        t.equal(await placeIn(rowsOf, { at, id: 'none', perPage }), null);
      },
    ),
  );
  t.equal(
    neighboursOf(() => undefined, { at: 3, id: 'a', within: [2, 3, 4] }),
    null,
    'it has left the list',
  );
  const places: readonly (readonly [string | undefined, number | null])[] = [
    ['0', 0],
    ['17', 17],
    ['-1', null],
    ['x', null],
    ['', null],
    [undefined, null],
  ];
  for (const [text, place] of places) t.equal(placeOf({ at: text }), place);
  t.equal(listQueryOf({ at: '3', in: 'project', number: '+49 1', callId: undefined }), '?number=%2B49+1');
  t.equal(listQueryOf({ at: '3' }), '');
  t.equal(placedQueryOf({ in: 'project', at: '3', type: 'CALLER' }, 0), '?in=project&at=0&type=CALLER');
});
