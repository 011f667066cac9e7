/** Properties of the parser and the builders for any text: no exception, no position out of range, the same result in another spelling. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { SipGarbage } from '../../testing/sip/garbage.ts';
import { readMessages } from '../../testing/sip/torture/read.ts';
import { requestOf, responseTo, SDP } from '../../testing/sip/virtual.ts';
import { beginning, bodyText, ending, requestText, responseText, standingEnding } from './build.ts';
import { ackText, cancelText } from './derived.ts';
import { COMPACT_FORMS } from './header-names.ts';
import { parseMessage } from './parse.ts';
import type { SipMessage } from './sip-message.ts';
import { parseVia } from './via.ts';
import { headerText } from './wire-text.ts';

const MESSAGES = [...readMessages('rfc4475.txt').values(), ...readMessages('rfc5118.txt').values()];

const PLACES = ['via', 'from', 'to', 'callId', 'cseq', 'contact', 'length', 'maxForwards'] as const;

function outside(message: SipMessage): string | null {
  const stop = message.text.length;
  for (const place of PLACES) {
    const [at, end] = [message[`${place}At`], message[`${place}End`]];
    if (at < 0 || end > stop || (end !== 0 && at > end)) return `${place}: ${at} to ${end} of ${stop}`;
    if (message.bodyAt !== 0 && end > message.bodyAt) return `${place} reaches into the body`;
  }
  return message.bodyEnd > stop || message.bodyAt > stop ? `body: ${message.bodyAt} to ${message.bodyEnd}` : null;
}

t.test('the parser never throws and never looks outside', (t) => {
  let parsed = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const garbage = new SipGarbage(seed, [...MESSAGES, requestOf('INVITE', { body: SDP() })]);
    for (let i = 0; i < 1500; i++) {
      const text = garbage.next();
      const message = parseMessage(text);
      if (message === null) continue;
      parsed++;
      const problem = outside(message);
      if (problem !== null) t.fail(`seed ${seed}, message ${i}: ${problem}`);
      // Calls every accessor.
      for (const name of ['via', 'contact', 'require', 'no-such', 'subject']) message.headerMembers(name);
      void [message.branch, message.fromTag, message.toTag, message.callId, message.body, message.cseqText];
    }
  }
  t.ok(parsed > 15_000, `${parsed} were messages still`);
  t.end();
});

const token = fc.stringMatching(/^[A-Za-z0-9\-.!%*_+`'~]{1,20}$/);
const free = fc
  .string({ unit: fc.integer({ min: 1, max: 0x2fff }).map((code) => String.fromCharCode(code)), maxLength: 40 })
  .map((text) => headerText(text).trim());
const body = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const cseq = fc.integer({ min: 0, max: 2 ** 31 - 1 });

t.test('what we build reads as it was meant', (t) => {
  fc.assert(
    fc.property(
      fc.tuple(token, token, token, token),
      cseq,
      free,
      body,
      ([method, user, branch, tag], number, subject, body) => {
        const identity = `From: <sip:${user}@a.example>;tag=${tag}\r\nTo: <sip:b@b.example>\r\nCall-ID: ${tag}@a\r\n`;
        const text = requestText(
          beginning(method, `sip:${user}@b.example`, 'Via: SIP/2.0/UDP 192.0.2.1:5060;rport;branch='),
          `z9hG4bK${branch}`,
          identity,
          ending(method, number, `Subject: ${subject}\r\n`, body),
        );
        if (standingEnding(method, number, '') !== ending(method, number, '')) throw new Error('another ending');
        const message = parseMessage(text);
        const seen = [
          message?.fault,
          message?.method,
          message?.requestUri,
          message?.branch,
          message?.fromTag,
          message?.toTag,
          message?.callId,
          message?.cseq,
          message?.header('subject'),
          message?.body,
        ];
        const meant = [
          null,
          method,
          `sip:${user}@b.example`,
          `z9hG4bK${branch}`,
          tag,
          '',
          `${tag}@a`,
          number,
          subject,
          body,
        ];
        return JSON.stringify(seen) === JSON.stringify(meant);
      },
    ),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 699 }), free, body, (status, reason, body) => {
      const request = requestOf('INVITE');
      const head = request.slice(request.indexOf('Via'), request.indexOf('Contact'));
      const message = parseMessage(responseText(status, reason, head, '', bodyText(body)));
      return (
        message?.fault === null &&
        message.status === status &&
        message.reason === reason &&
        message.method === 'INVITE' &&
        message.body === body
      );
    }),
    { numRuns: 300 },
  );
  t.end();
});

t.test('ACK and CANCEL are the INVITE\u2019s, whatever it is made of', (t) => {
  fc.assert(
    fc.property(token, token, cseq, token, (branch, tag, number, toTag) => {
      const invite = requestOf('INVITE', {
        branch: `z9hG4bK${branch}`,
        from: `<sip:a@b>;tag=${tag}`,
        cseq: number,
        headers: ['Route: <sip:p;lr>, <sip:q;lr>'],
      });
      const response = parseMessage(responseTo(invite, 486, 'Busy', { toTag }));
      if (response === null) return false;
      const [ack, cancel] = [parseMessage(ackText(invite, response)), parseMessage(cancelText(invite))];
      return (
        [ack, cancel].every(
          (one) =>
            one?.fault === null &&
            one.branch === `z9hG4bK${branch}` &&
            one.fromTag === tag &&
            one.cseq === number &&
            one.headerMembers('route').length === 2,
        ) &&
        ack?.toTag === toTag &&
        cancel?.toTag === ''
      );
    }),
    { numRuns: 200 },
  );
  t.end();
});

t.test('another spelling of the same message says the same', (t) => {
  const compact = new Map<string, string>(Object.entries(COMPACT_FORMS));
  const spellings: Readonly<Record<string, (line: string) => string>> = {
    'compact forms': (line) =>
      line.replace(/^([^:]+):/, (whole, name: string) => {
        const letter = compact.get(name.toLowerCase());
        return letter === undefined ? whole : `${letter}:`;
      }),
    'capital letters': (line) => line.replace(/^[^:]+:/, (name) => name.toUpperCase()),
    'space before the colon': (line) => line.replace(':', ' \t:  '),
    'folded values': (line) => line.replace(': ', ':\r\n  '),
    'space after values': (line) => `${line} \t`,
  };
  const text = requestOf('INVITE', {
    body: SDP(),
    headers: ['Subject: a subject', 'Supported: 100rel, timer', 'Session-Expires: 1800;refresher=uac', 'Require: x'],
  });
  const sayings = (message: SipMessage | null): unknown => [
    message?.fault,
    message?.method,
    message?.cseq,
    message?.callId,
    message?.branch,
    message?.fromTag,
    message?.body,
    ...['subject', 'supported', 'session-expires', 'require', 'contact', 'content-type'].map((name) =>
      message?.headerMembers(name),
    ),
  ];
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [startLine, ...lines] = head.split('\r\n');
  for (const [what, spell] of Object.entries(spellings)) {
    const other = [startLine, ...lines.map(spell)].join('\r\n');
    t.same(sayings(parseMessage([other, ...rest].join('\r\n\r\n'))), sayings(parseMessage(text)), what);
  }
  const mixed = [startLine, ...[...lines].reverse()].join('\r\n');
  t.same(sayings(parseMessage([mixed, ...rest].join('\r\n\r\n'))), sayings(parseMessage(text)), 'another order');
  t.same(
    sayings(parseMessage(text.replace('Supported: 100rel, timer', 'Supported: 100rel\r\nk: timer'))),
    sayings(parseMessage(text)),
    'a list over two lines',
  );
  t.end();
});

t.test('a header is found by its name, however that is spelled, and no other is', (t) => {
  const compact: Readonly<Record<string, string>> = COMPACT_FORMS;
  const names = [...Object.keys(COMPACT_FORMS), 'reason', 'warning', 'retry-after', 'require', 'accept', 'allow', '3'];
  const spelling = fc.record({ name: fc.constantFrom(...names), how: fc.constantFrom('long', 'compact', 'capitals') });
  fc.assert(
    fc.property(fc.array(spelling, { maxLength: 8 }), (spellings) => {
      const lines = spellings.map(({ name, how }) => {
        const written = how === 'compact' ? (compact[name] ?? name) : name;
        return `${how === 'capitals' ? written.toUpperCase() : written}: ${name}\r\n`;
      });
      const message = parseMessage(`OPTIONS sip:a@b SIP/2.0\r\n${lines.join('')}\r\n`) as SipMessage;
      for (const name of names) {
        const [found] = message.headerLines(name);
        const isThere = spellings.some((one) => one.name === name);
        if ((found === name) !== isThere) throw new Error(`${name}: ${found}`);
        if (message.header(name) !== (found ?? null)) throw new Error(`${name}: ${found} and ${message.header(name)}`);
      }
    }),
    { numRuns: 2000 },
  );
  t.pass('2,000 messages');
  t.end();
});

t.test('a Via says the same whatever Via was read before it', (t) => {
  const branch = fc.constantFrom('z9hG4bKa', 'z9hG4bK-b.7', '', 'a,b', '"q"', '";branch=q', 'b c', '[1]');
  const via = fc
    .record({
      head: fc.constantFrom('SIP/2.0/UDP a:5060', 'SIP / 2.0 / TCP [::1]', 'SIP/2.0/UDP a ', 'SIP/3.0/UDP a', 'X'),
      before: fc.constantFrom('', ';rport', ';x=";branch=', ';xbranch=1', ';branch=z9hG4bKa', ';Branch=z9hG4bKa', ';;'),
      name: fc.constantFrom(';branch=', ';Branch=', ';branch =', ';branch'),
      branch,
      behind: fc.constantFrom('', ';rport', ';received=b', '"', ';branch=z9hG4bKa', ' ', ';'),
    })
    .map((v) => v.head + v.before + v.name + v.branch + v.behind);
  fc.assert(
    fc.property(via, branch, (one, other) => {
      const like = one.replace(/(?<=;branch=)[^;]*/, () => other);
      parseVia(one);
      const found = [parseVia(like), parseVia(one)];
      const anew = [like, one].map((text) => {
        // Neither is in the cache now.
        parseVia('SIP/2.0/UDP nobody;branch=z9hG4bKnobody');
        return parseVia(text);
      });
      if (JSON.stringify(found) !== JSON.stringify(anew)) throw new Error(`${JSON.stringify([one, like])}`);
    }),
    { numRuns: 5000 },
  );
  t.pass('5,000 pairs');
  t.end();
});
