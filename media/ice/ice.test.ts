/** STUN messages against the vectors of RFC 5769; candidates as text, and their order. */
import { createHmac } from 'node:crypto';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { localCandidates, pairPriority, priorityOf, readCandidate, writeCandidate } from './candidate.ts';
import { type HmacSha1, isAuthentic, REQUEST, readStun, type StunMessage, SUCCESS, writeStun } from './stun.ts';

const hmac: HmacSha1 = (password, bytes) => createHmac('sha1', password).update(bytes).digest();
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));

const PASSWORD = 'VOkJxbRl1RmTxUk/WvJxBt';
const HEAD = '2112a442 b7e7a701bc34d686fa87dfae';
const REQUEST_2_1 = `00010058 ${HEAD} 80220010 5354554e207465737420636c69656e74 00240004 6e0001ff 80290008 932ff9b151263b36
  00060009 6576746a3a68367659202020 00080014 9aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2 80280004 e57a3bcf`;
const SOFTWARE = '8022000b 7465737420766563746f7220';
const IPV4_2_2 = `0101003c ${HEAD} ${SOFTWARE} 00200008 0001a147e112a643 00080014 2b91f599fd9e90c38c7489f92af9ba53f06be7d7
  80280004 c07d4c96`;
const IPV6_2_3 = `01010048 ${HEAD} ${SOFTWARE} 00200014 0002a1470113a9faa5d3f179bc25f4b5bed2b9d9
  00080014 a382954e4be67bf11784c97c8292c275bfe3ed41 80280004 c8fb0b4c`;

t.test('RFC 5769, 2.1 to 2.3: read, and proved', (t) => {
  const request = readStun(bytesOf(REQUEST_2_1));
  const tie = 0x932ff9b151263b36n;
  t.match(request, { type: REQUEST, username: 'evtj:h6vY', priority: 0x6e0001ff, controlled: tie, controlling: null });
  const rows: [hex: string, mapped: string][] = [
    [IPV4_2_2, '192.0.2.1'],
    [IPV6_2_3, '2001:db8:1234:5678:11:2233:4455:6677'],
  ];
  for (const [hex, address] of rows)
    t.match(readStun(bytesOf(hex)), { type: SUCCESS, mapped: { address, port: 32_853 } }, address);
  for (const hex of [REQUEST_2_1, IPV4_2_2, IPV6_2_3]) {
    const bytes = bytesOf(hex);
    t.ok(isAuthentic(bytes, hmac, PASSWORD));
    t.notOk(isAuthentic(bytes, hmac, `${PASSWORD}x`));
    // FINGERPRINT does not cover its own type.
    for (let at = 0; at < bytes.length - 8; at++) {
      const altered = bytes.slice();
      altered[at]! ^= 1;
      t.equal(readStun(altered), null, `octet ${at}`);
    }
  }
  t.end();
});

t.test('what is written is read back, and proved by its password only', (t) => {
  const octet = fc.integer({ min: 0, max: 255 });
  const address = fc.oneof(fc.ipV4(), fc.constantFrom('::1', '2001:db8::2', 'fe80::1:0:0:5', '::ffff:c000:201'));
  const messages = fc.record({
    type: fc.constantFrom(REQUEST, SUCCESS),
    transaction: fc.array(octet, { minLength: 12, maxLength: 12 }).map((one) => String.fromCharCode(...one)),
    username: fc.option(fc.string({ maxLength: 40 })),
    priority: fc.option(fc.nat(0x7fffffff)),
    useCandidate: fc.boolean(),
    controlling: fc.option(fc.bigInt(0n, 2n ** 64n - 1n)),
    controlled: fc.option(fc.bigInt(0n, 2n ** 64n - 1n)),
    mapped: fc.option(fc.record({ address, port: fc.nat(65_535) })),
    errorCode: fc.option(fc.integer({ min: 300, max: 699 })),
  });
  fc.assert(
    fc.property(messages, fc.option(fc.string({ minLength: 1 })), (message: StunMessage, password) => {
      const bytes = writeStun(message, hmac, password);
      t.same(readStun(bytes), message);
      return (
        isAuthentic(bytes, hmac, 'another') === false &&
        isAuthentic(bytes, hmac, password ?? '') === (password !== null)
      );
    }),
  );
  t.end();
});

t.test('rubbish is no message, and throws nothing', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), fc.boolean(), (bytes, begun) => {
      if (begun) bytes.set(bytesOf(REQUEST_2_1).subarray(0, Math.min(20, bytes.length)));
      readStun(bytes);
      return !isAuthentic(bytes, hmac, PASSWORD);
    }),
  );
  t.end();
});

t.test('candidates: text there and back, order of types and pairs', (t) => {
  const base = { address: '10.0.0.1', port: 4000 };
  const ours = localCandidates(base, { address: '192.0.2.1', port: 40_000 });
  t.same(ours.map(writeCandidate), [
    '1 1 udp 2130706431 10.0.0.1 4000 typ host',
    '2 1 udp 1694498815 192.0.2.1 40000 typ srflx raddr 10.0.0.1 rport 4000',
  ]);
  t.same(ours.map(writeCandidate).map(readCandidate), ours);
  t.equal(localCandidates(base, base).length, 1, 'no NAT, no candidate of its own');
  t.ok(priorityOf('host') > priorityOf('prflx') && priorityOf('prflx') > priorityOf('srflx'));
  t.equal(pairPriority(2, 1), (1n << 32n) + 5n);
  t.equal(pairPriority(1, 2), (1n << 32n) + 4n);
  const more = readCandidate('H76 1 UDP 2130706431 FE80::1 9 TYP host'.replace('TYP', 'typ'));
  t.match(more, { transport: 'udp', address: 'fe80::1', foundation: 'H76' });
  const named = '842163049 1 udp 1677729535 203.0.113.7 57093 typ srflx raddr 0.0.0.0 rport 0 generation 0 ufrag x';
  t.match(readCandidate(named), { type: 'srflx', related: { address: '0.0.0.0', port: 0 } });
  for (const broken of ['', '1 1 udp', '1 1 udp 1 10.0.0.1 99999 typ host', '1 1 udp 1 10.0.0.1 9 typ mars'])
    t.equal(readCandidate(broken), null, broken);
  t.end();
});
