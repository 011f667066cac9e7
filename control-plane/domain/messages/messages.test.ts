/** The messages that receivers get, and when they are retried: tables and properties. */

import { createHmac } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import fc, { anyText } from '../../../scripts/test-run/properties.ts';
import { ANNOUNCEMENT_KINDS, ANNOUNCEMENTS, type Telling } from '../../contract/notify/announcement.ts';
import { at, EVIL, TELLINGS } from '../../testing/tellings.ts';
import { judgeAttempt, nextAttemptAt, RETRY_SECONDS, signatureHeaders } from '../webhook.ts';
import { brandedMail } from './branded-mail.ts';
import { messageFor, standardBody } from './message.ts';
import { duration, plain, wordingOf } from './wording.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OLDER = 'a secret of twenty-four letters';
const send = (telling: Telling, previousSecret: Secret | null = null) =>
  messageFor(
    { format: 'STANDARD', bodyOf: standardBody, secret: new Secret(SECRET), previousSecret },
    telling,
    'msg',
    at,
    'https://carillon.example/',
  );

t.test('signatures are what the standardwebhooks package verifies', async (t) => {
  for (const kind of ANNOUNCEMENT_KINDS) {
    const { headers, body } = send(TELLINGS[kind], new Secret(OLDER));
    const told = new Webhook(SECRET).verify(body, headers) as { type: string; timestamp: string; data: object };
    t.same(new Webhook(OLDER, { format: 'raw' }).verify(body, headers), told, 'the secret before signs, too');
    t.match(told, { type: kind, timestamp: at.toISOString(), data: { projectId: 'project', projectName: EVIL } });
    t.same(ANNOUNCEMENTS[kind].parse(told.data), TELLINGS[kind].data);
    t.match(told.data, { url: /^https:\/\/carillon\.example\/[^/]/ }, 'a link');
    t.throws(() => new Webhook(SECRET).verify(`${body} `, headers), 'another body');
    t.throws(() => new Webhook(SECRET).verify(body, { ...headers, 'webhook-id': 'other' }), 'another id');
    t.throws(
      () => new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`).verify(body, headers),
      'another secret',
    );
  }
  const alone = signatureHeaders([new Secret(OLDER)], { id: 'msg', at, body: '{}' });
  const seconds = Math.floor(at.getTime() / 1000);
  const expected = createHmac('sha256', OLDER).update(`msg.${seconds}.{}`).digest('base64');
  t.equal(alone['webhook-signature'], `v1,${expected}`);
});

t.test('a name is one line of limited length', async () => {
  fc.assert(
    fc.property(anyText(300), fc.integer({ min: 1, max: 100 }), (text, length) => {
      const line = plain(text, length);
      return [...line].length <= length && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(line);
    }),
  );
});

t.test('an incident in words', async (t) => {
  const opened = {
    ...TELLINGS['incident.opened'],
    data: { ...TELLINGS['incident.opened'].data, reason: 'Busy.' },
  } as Telling;
  const { body } = send(opened);
  t.match(JSON.parse(body), { data: { reason: 'Busy.', url: /incidents\/i$/ } });
  t.notMatch(body, SECRET.slice(6));
  const rows = [
    [0, '0 s'],
    [999, '1 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
  ] as const;
  for (const [ms, words] of rows) t.equal(duration(ms), words);
});

t.test('a run that could not run is told with its reason', async (t) => {
  const { data, ...about } = TELLINGS['test_run.status_changed'];
  const told = {
    ...data,
    testName: 'Front door',
    to: 'CANNOT_RUN_FOR_NOW',
    result: null,
    reason: 'No worker.',
  } as const;
  const { facts, headline } = wordingOf({ ...about, data: told });
  t.equal(headline, 'Run of Front door: cannot run for now');
  t.same(facts.at(-1), ['Why', 'No worker.']);
});

t.test('messages have the words that people read, and no identifier', async (t) => {
  const names = { probeName: 'Door', testName: 'Test', workerName: 'edge', region: 'local', message: 'Test.' };
  for (const kind of ANNOUNCEMENT_KINDS) {
    const { data, ...about } = TELLINGS[kind];
    const words = { ...names, reason: null };
    const { headline, facts } = wordingOf({ ...about, projectName: 'Lab', data: { ...data, ...words } } as Telling);
    const text = [headline, ...facts.flat()].join('\n');
    t.notMatch(text.replaceAll('UTC', ''), /[A-Z]{2}/, kind);
    t.notMatch(text, /^(r|t|p|i|w|h)$/m, kind);
  }
});

t.test('an incident says since when the target is bad', async (t) => {
  const began = new Date(at.getTime() - 90_000).toISOString();
  const of = (kind: 'incident.opened' | 'incident.escalated' | 'incident.resolved', firstFailedAt: string | null) => {
    const { data, ...about } = TELLINGS[kind];
    return Object.fromEntries(wordingOf({ ...about, data: { ...data, firstFailedAt } } as Telling).facts);
  };
  const since = `${began.slice(0, 19).replace('T', ' ')} UTC`;
  t.match(of('incident.opened', began), { Since: since });
  t.match(of('incident.opened', null), { Since: `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC` });
  t.match(of('incident.escalated', began), { Since: since, For: '1 min 30 s' });
  t.match(of('incident.resolved', began), { 'It was': 'Down', Since: since, Lasted: '1 h 3 min' });
});

t.test('when a try is made again', async (t) => {
  const start = at.getTime();
  const retryUntil = new Date(start + RETRY_SECONDS * 1000);
  const failing = { status: 503, error: null, retryAfterSeconds: null };
  const instants: number[] = [0];
  let now = start;
  for (let attempt = 1; ; attempt++) {
    const verdict = judgeAttempt(failing, { attempt, retryUntil, once: false }, new Date(now));
    if (verdict.is !== 'AGAIN') {
      t.match(verdict, { is: 'FAILED', gone: false, error: /answered 503/ });
      break;
    }
    now = verdict.at.getTime();
    instants.push((now - start) / 1000);
  }
  t.comment(`attempts, seconds after the first: ${instants.join(', ')}`);
  t.equal(instants.length, 12);
  t.same(instants.slice(0, 5), [0, 5, 35, 155, 755]);
  t.equal(instants.at(-1), RETRY_SECONDS, 'the last when its day is over');
  const first = (tried: object, once = false) =>
    judgeAttempt({ ...failing, ...tried }, { attempt: 1, retryUntil, once }, new Date(start));
  const rows: [object, object][] = [
    [{ status: 200 }, { is: 'DELIVERED' }],
    [{ status: 204 }, { is: 'DELIVERED' }],
    [{ status: 302 }, { is: 'AGAIN', error: /redirects are not followed/ }],
    [{ status: 404 }, { is: 'AGAIN', error: /404/ }],
    [{ status: 410 }, { is: 'FAILED', gone: true }],
    [
      { status: null, error: 'No answer' },
      { is: 'AGAIN', error: 'No answer' },
    ],
    [
      { status: 429, retryAfterSeconds: 60 },
      { is: 'AGAIN', at: new Date(start + 60_000) },
    ],
    [
      { status: 429, retryAfterSeconds: 1 },
      { is: 'AGAIN', at: new Date(start + 5000) },
    ],
    [
      { status: 429, retryAfterSeconds: 999_999 },
      { is: 'AGAIN', at: retryUntil },
    ],
  ];
  for (const [tried, wanted] of rows) t.match(first(tried), wanted, JSON.stringify(tried));
  t.match(first({}, true), { is: 'FAILED', gone: false }, 'a test is tried once');
  t.same(nextAttemptAt(1, retryUntil, new Date(start)), new Date(start + 5000));
  t.equal(nextAttemptAt(12, retryUntil, retryUntil), null);
});

t.test('a mail with a brand says in HTML what its text says, and no text becomes markup', async (t) => {
  const brand = {
    name: EVIL,
    isNameShown: false,
    logo: { bytes: Buffer.from('x'), widthPx: 9, heightPx: 3 },
    colours: null,
  };
  fc.assert(
    fc.property(fc.array(anyText(60), { maxLength: 5 }), (lines) => {
      const text = [...lines, 'https://carillon.example/a?b=1&c=2'].join('\n');
      t.same(brandedMail({ subject: 's', text }, null), { subject: 's', text });
      const { html = '', logo, ...others } = brandedMail({ subject: 's', text }, brand);
      t.same([others, logo], [{ subject: 's', text }, brand.logo.bytes]);
      const known = /<\/?(html|head|meta|body|div|img|br|a)\b[^<>]*>|<!doctype html>/g;
      t.notMatch(html.replaceAll(known, ''), /[<>]/);
      t.ok(html.includes('href="https://carillon.example/a?b=1&amp;c=2"'));
    }),
    { numRuns: 50 },
  );
});
