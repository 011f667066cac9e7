import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { CallLog, headerOf, LOCAL, requestOf, responseTo, SDP, VirtualEngine } from '../../testing/sip/virtual.ts';
import { parseNameAddress } from './name-address.ts';
import { isKeepAlive, parseMessage } from './parse.ts';
import { rememberLast, rememberPiece } from './remember-last.ts';
import { checkRequest } from './request-check.ts';
import { membersOf, parameter, unquote } from './scan.ts';
import { escapeUser, parseUri } from './uri.ts';
import { hasCookie, parseVia, responsePort, stampVia } from './via.ts';

t.test('a message in all the forms that the grammar allows', (t) => {
  // The pattern of RFC 4475, 3.1.1.1, with our own text.
  const text = [
    'INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0',
    'TO :',
    ' sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n',
    'from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>',
    '  ;',
    '  tag = 98asjd8',
    'MaX-fOrWaRdS: 0068',
    'Call-ID: wsinv.ndaksdj@192.0.2.1',
    'Content-Length   : 3',
    'cseq: 0009',
    '  INVITE',
    'Via  : SIP  /   2.0',
    ' /UDP',
    '    192.0.2.2;rport;branch=390skdjuw',
    's :',
    'NewFangledHeader:   newfangled value',
    ' continued newfangled value',
    'UnknownHeaderWithUnusualValue: ;;,,;;,;',
    'Route:',
    ' <sip:services.example.com;lr;unknownwith=value;unknown-no-value>',
    'v:  SIP  / 2.0  / TCP     spindle.example.com   ;',
    '  branch  =   z9hG4bK9ikj8  ,',
    ' SIP  /    2.0   / UDP  192.168.255.111   ; branch=',
    ' z9hG4bK30239',
    'c: application/sdp',
    'm:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =',
    '      newvalue ;',
    '  secondparam ; q = 0.33',
    '',
    'abcdef',
  ].join('\r\n');
  const message = parseMessage(text);
  if (message === null) throw new Error('not parsed');
  t.equal(message.fault, null);
  t.equal(message.method, 'INVITE');
  t.equal(message.cseq, 9);
  t.equal(message.callId, 'wsinv.ndaksdj@192.0.2.1');
  t.equal(message.fromTag, '98asjd8');
  t.equal(message.toTag, '1918181833n');
  t.equal(message.branch, '390skdjuw');
  t.equal(message.body, 'abc', 'what lies after Content-Length is ignored');
  t.equal(message.header('newfangledheader'), 'newfangled value continued newfangled value');
  t.equal(message.header('subject'), '', 'by its compact form');
  t.equal(message.headerMembers('via').length, 3);
  t.equal(message.headerMembers('contact').length, 1);
  t.equal(message.header('no-such'), null);
  const top = parseVia(message.headerMembers('via')[0] ?? '');
  t.equal(top === null ? top : checkRequest(message, top, new Set()), null);
  t.end();
});

t.test('lines may end with LF; leading line ends are skipped', (t) => {
  const message = parseMessage(`\r\n\r\n${requestOf('OPTIONS').replaceAll('\r\n', '\n')}`);
  t.equal(message?.method, 'OPTIONS');
  t.equal(message?.fault, null);
  t.ok(isKeepAlive('\r\n\r\n'));
  t.ok(isKeepAlive('\0\0\0\0'));
  t.notOk(isKeepAlive('hello'));
  t.end();
});

t.test('what is read does not depend on how a header name is written', (t) => {
  const lines: readonly [name: string, compact: string, value: string][] = [
    ['Via', 'v', 'SIP/2.0/UDP 192.0.2.2:5070;rport;branch=z9hG4bK1'],
    ['From', 'f', '"A;tag=b" <sip:a@192.0.2.2;user=phone>;tag=one'],
    ['To', 't', '<sip:b@192.0.2.1>;tag=two'],
    ['Call-ID', 'i', 'x@192.0.2.2'],
    ['CSeq', 'CSEQ', '7 INVITE'],
    ['Contact', 'm', '<sip:a@192.0.2.2:5070>'],
    ['Content-Length', 'l', '4'],
  ];
  const spellings: readonly ((name: string, compact: string) => string)[] = [
    (name) => `${name}: `,
    (name) => `${name}:`,
    (name) => `${name} :  `,
    (name) => `${name.toLowerCase()}: `,
    (name) => `${name}:\r\n `,
    (_name, compact) => `${compact}: `,
  ];
  const read = (heads: readonly number[], end: string) => {
    const head = lines.map(
      ([name, compact, value], i) =>
        `${(spellings[heads[i] as number] as (typeof spellings)[0])(name, compact)}${value}`,
    );
    const message = parseMessage(`SIP/2.0 200 OK${end}${head.join(end)}${end}${end}body`);
    if (message === null) return null;
    const { via, from, to, callId, cseq, method, body, branch, fromTag, toTag, fault } = message;
    const asked = lines.map(([name]) => message.header(name.toLowerCase()));
    return { via, from, to, callId, cseq, method, body, branch, fromTag, toTag, fault, asked };
  };
  const usual = read([0, 0, 0, 0, 0, 0, 0], '\r\n');
  t.match(usual, {
    fault: null,
    cseq: 7,
    method: 'INVITE',
    body: 'body',
    branch: 'z9hG4bK1',
    fromTag: 'one',
    toTag: 'two',
  });
  t.same(
    usual?.asked,
    lines.map(([, , value]) => value),
  );
  const heads = fc.array(fc.nat(spellings.length - 1), { minLength: lines.length, maxLength: lines.length });
  fc.assert(
    fc.property(heads, fc.constantFrom('\r\n', '\n'), (each, end) => t.same(read(each, end), usual)),
    { numRuns: 100 },
  );
  t.end();
});

t.test('status and reason are read from the status line', (t) => {
  const response = responseTo(requestOf('INVITE'), 200, 'OK');
  const rows: [string, number | null, string][] = [
    ['SIP/2.0 200 OK', 200, 'OK'],
    ['SIP/2.0 200 ', 200, ''],
    ['SIP/2.0 200', 200, ''],
    ['sip/2.0 183 Session Progress', 183, 'Session Progress'],
    ['SIP/2.0 200 = 2**3 * 5**2 \xd0\xbd\xd0\xbe', 200, '= 2**3 * 5**2 \xd0\xbd\xd0\xbe'],
    ['SIP/2.0 4294967301 better not', null, ''],
    ['SIP/2.0 099 x', null, ''],
    ['SIP/2.0 700 x', null, ''],
    ['SIP/2.0 2x0 x', null, ''],
    ['SIP/3.0 200 OK', null, ''],
    ['SIP/2.0  200 OK', null, ''],
  ];
  for (const [line, status, reason] of rows) {
    const message = parseMessage(response.replace('SIP/2.0 200 OK', line));
    t.equal(message?.status ?? null, status, line);
    if (status !== null) t.equal(message?.reason, reason, line);
  }
  t.end();
});

/** The engine's answer to a datagram; null for none. */
function answerTo(text: string): string | null {
  const virtual = new VirtualEngine();
  virtual.agent({ contactUser: 'alice', onIncomingCall: () => new CallLog() });
  virtual.receive(text);
  if (virtual.errors.length > 0) throw virtual.errors[0];
  const answers = virtual.sent.map((sent) => sent.text.slice(8, 11)).filter((status) => status !== '100');
  if (answers.length === 0 && virtual.sent.length === 0 && virtual.engine.counters.malformed === 1) return 'dropped';
  return answers[0] ?? '100';
}

t.test('malformed and unsupported requests get the answers of RFC 4475', (t) => {
  const uri = `sip:alice@${LOCAL.address}:${LOCAL.port}`;
  const invite = (change: (text: string) => string, parts = {}): string =>
    change(requestOf('INVITE', { body: SDP(), ...parts }));
  const line = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
  const rows: [string, string, string][] = [
    ['a correct INVITE', invite((text) => text), '100'],
    ['stray separators in Via (3.1.2.1)', invite(line(/branch=\S+/, '$&;;,;,,')), '400'],
    [
      'stray separators in Contact (3.1.2.1)',
      invite(line(/Contact: .*/, 'Contact: "Joe" <sip:joe@example.org>;;;;')),
      '400',
    ],
    [
      'Content-Length beyond the datagram (3.1.2.2)',
      invite(line(/Content-Length: \d+/, 'Content-Length: 9999')),
      '400',
    ],
    ['Content-Length negative (3.1.2.3)', invite(line(/Content-Length: \d+/, 'Content-Length: -999')), '400'],
    ['CSeq too large (3.1.2.4)', invite(line('CSeq: 1 ', 'CSeq: 36893488147419103232 ')), '400'],
    ['Max-Forwards too large (3.1.2.4)', invite(line('Max-Forwards: 70', 'Max-Forwards: 300')), '400'],
    ['unterminated quote in To (3.1.2.6)', invite(line(/To: .*/, 'To: "Mr J. User <sip:j.user@example.com>')), '400'],
    ['angle brackets round the Request-URI (3.1.2.7)', invite(line(uri, `<${uri}>`)), '400'],
    ['space within the Request-URI (3.1.2.8)', invite(line(uri, `${uri}; lr`)), '400'],
    ['several spaces in the request line (3.1.2.9)', invite(line(`INVITE ${uri}`, `INVITE  ${uri}`)), '400'],
    ['space after the version (3.1.2.10)', invite(line('SIP/2.0\r\n', 'SIP/2.0  \r\n')), '400'],
    ['headers in the Request-URI (3.1.2.11)', invite(line(uri, `${uri}?Route=%3Csip:example.com%3E`)), '400'],
    [
      'Date in another zone (3.1.2.12): ignored',
      invite(line('Call-ID', 'Date: Fri, 01 Jan 2010 16:00:00 EST\r\nCall-ID')),
      '100',
    ],
    [
      'space within an addr-spec (3.1.2.14)',
      invite(line(/To: .*/, 'To: "Watson, Thomas" < sip:t.watson@example.org >')),
      '400',
    ],
    [
      'display name that is no row of tokens (3.1.2.15)',
      invite(line(/From: .*/, 'From: Bell, Alexander <sip:a.g.bell@example.com>;tag=43')),
      '400',
    ],
    ['unknown version (3.1.2.16)', invite(line('SIP/2.0\r\n', 'SIP/7.0\r\n')), '505'],
    ['method differs from CSeq (3.1.2.17)', requestOf('OPTIONS').replace('CSeq: 1 OPTIONS', 'CSeq: 8 INVITE'), '400'],
    ['unknown method', requestOf('NEWMETHOD'), '501'],
    ['odd but correct method (3.1.1.2)', requestOf("!interesting-Method0123456789_*+`.%indeed'~"), '501'],
    ['an escape does not spell a method (3.1.1.5)', requestOf('RE%47IST%45R'), '501'],
    ['REGISTER: we are no registrar', requestOf('REGISTER', { contact: null }), '405'],
    ['MESSAGE', requestOf('MESSAGE'), '405'],
    ['no Via: nobody to answer', invite(line(/Via: .*\r\n/, '')), 'dropped'],
    ['no Call-ID (3.3.1)', invite(line(/Call-ID: .*\r\n/, '')), 'dropped'],
    ['no From (3.3.1)', invite(line(/From: .*\r\n/, '')), 'dropped'],
    ['branch that is only the cookie (3.2.1)', invite((text) => text, { branch: 'z9hG4bK' }), '100'],
    ['unknown scheme (3.3.2)', invite(line(uri, 'nobodyKnowsThisScheme:totallyopaquecontent')), '416'],
    ['novel scheme (3.3.3)', invite(line(uri, 'soap.beep://192.0.2.103:3002')), '416'],
    [
      'foreign schemes in From and Contact (3.3.4)',
      invite(line(/From: .*/, 'From: <http://www.example.com>;tag=x')),
      '100',
    ],
    [
      'required extension (3.3.5)',
      invite(line('Call-ID', 'Require: nothingSupportsThis, nothingSupportsThisEither\r\nCall-ID')),
      '420',
    ],
    ['unknown content type (3.3.6)', invite(line('application/sdp', 'application/unknownformat')), '415'],
    ['Accept without SDP (3.3.15)', invite(line('Call-ID', 'Accept: text/nobodyKnowsThis\r\nCall-ID')), '406'],
    ['compressed body', invite(line('Content-Type', 'Content-Encoding: gzip\r\nContent-Type')), '415'],
    ['repeated From (3.3.8)', invite(line('Call-ID', 'From: <sip:other@example.com>;tag=3\r\nCall-ID')), '400'],
    ['repeated Content-Length (3.3.9)', invite(line('Content-Type', 'Content-Length: 5\r\nContent-Type')), '400'],
    [
      'Max-Forwards 0 at an endpoint (3.3.11)',
      requestOf('OPTIONS').replace('Max-Forwards: 70', 'Max-Forwards: 0'),
      '200',
    ],
    ['no Max-Forwards', requestOf('OPTIONS').replace('Max-Forwards: 70\r\n', ''), '200'],
    ['a header without a colon', invite(line('Call-ID', 'Nonsense\r\nCall-ID')), '400'],
    ['no empty line', requestOf('OPTIONS').replace('\r\n\r\n', '\r\n'), '400'],
    ['INVITE without Contact', invite((text) => text, { contact: null }), '400'],
    ['IPv6 without brackets (RFC 5118, 4.2)', invite(line(uri, 'sip:2001:db8::10')), '400'],
    [
      'IPv6 with brackets: another host of ours, an unknown user',
      invite(line(uri, 'sip:user@[2001:db8::10]:5070')),
      '404',
    ],
    ['unknown user', invite((text) => text, { requestUri: 'sip:nobody@192.0.2.1' }), '404'],
    ['escaped user is resolved once', invite((text) => text, { requestUri: 'sip:%61lice@192.0.2.1' }), '100'],
    ['OPTIONS to the host itself', requestOf('OPTIONS', { requestUri: 'sip:192.0.2.1:5060' }), '200'],
    ['OPTIONS to an unknown user', requestOf('OPTIONS', { requestUri: 'sip:nobody@192.0.2.1' }), '404'],
    ['BYE of no dialog', requestOf('BYE', { to: '<sip:alice@example.net>;tag=gone' }), '481'],
    ['BYE without a To tag', requestOf('BYE'), '481'],
    ['CANCEL of nothing', requestOf('CANCEL'), '481'],
    ['no SIP', 'GET / HTTP/1.1\r\n\r\n', 'dropped'],
    ['a request cut off', 'INVITE sip:alice@192.0.2.1 SIP/2.0', 'dropped'],
  ];
  for (const [what, text, expected] of rows) t.equal(answerTo(text), expected, what);
  t.end();
});

t.test('refusals say what would be accepted', (t) => {
  const answer = (text: string): string => {
    const virtual = new VirtualEngine();
    virtual.agent();
    virtual.receive(text);
    return virtual.sent[0]?.text ?? '';
  };
  t.match(headerOf(answer(requestOf('PUBLISH')), 'Allow'), /INVITE, ACK, CANCEL, BYE/);
  const required = requestOf('INVITE', { headers: ['Require: x-one, x-two'] });
  t.equal(headerOf(answer(required), 'Unsupported'), 'x-one, x-two');
  const typed = requestOf('INVITE', { body: 'x' }).replace('application/sdp', 'text/plain');
  t.equal(headerOf(answer(typed), 'Accept'), 'application/sdp, multipart/mixed');
  t.match(headerOf(answer(requestOf('OPTIONS')), 'Accept'), /application\/sdp/);
  const vias = requestOf('OPTIONS').replace(
    'Max-Forwards',
    'Via: SIP/2.0/TLS below.example;branch=z9hG4bK2\r\nMax-Forwards',
  );
  t.match(
    answer(vias),
    /Via: .*192\.0\.2\.2.*\r\nVia: SIP\/2\.0\/TLS below\.example;branch=z9hG4bK2\r\nFrom/,
    'all Vias come back',
  );
  t.end();
});

t.test('the parts of a URI', (t) => {
  const rows: [string, unknown][] = [
    ['sip:alice@example.net', { user: 'alice', host: 'example.net', port: 0 }],
    [
      'SIPS:alice:pw@example.net:5061;transport=tls',
      { scheme: 'sips', user: 'alice', port: 5061, parameters: ';transport=tls' },
    ],
    ['sip:192.0.2.1', { user: '', host: '192.0.2.1' }],
    ['sip:[2001:db8::10:5070]', { host: '2001:db8::10:5070', port: 0 }],
    ['sip:[2001:db8::10]:5070', { host: '2001:db8::10', port: 5070 }],
    ['sip:[::ffff:192.0.2.10]:19823', { host: '::ffff:192.0.2.10', port: 19_823 }],
    ['sip:user;par=u%40example.net@example.com', { user: 'user;par=u@example.net', host: 'example.com' }],
    ['sip:sips%3Auser%40example.com@example.net', { user: 'sips:user@example.com' }],
    ['sip:null-%00-null@example.com', { user: 'null-\0-null' }],
    ['sip:value%25%34%31@h', { user: 'value%41' }],
    ['sip:a@b?Subject=x', { headers: 'Subject=x' }],
    ['tel:+49-30-1234;phone-context=x', { scheme: 'tel', user: '+49-30-1234' }],
    ['http://x', 'SCHEME'],
    ['sip:', 'SYNTAX'],
    ['sip:@host', 'SYNTAX'],
    ['sip:a@', 'SYNTAX'],
    ['sip:a@b:0', 'SYNTAX'],
    ['sip:a@b:65536', 'SYNTAX'],
    ['sip:a@b:5060x', 'SYNTAX'],
    ['sip:2001:db8::10', 'SYNTAX'],
    ['sip:a b@c', 'SYNTAX'],
    ['sip:a%zz@c', 'SYNTAX'],
    ['alice', 'SYNTAX'],
    ['', 'SYNTAX'],
  ];
  for (const [text, expected] of rows) t.match(parseUri(text), expected as object, text);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)), minLength: 1 }),
      (user) => {
        const uri = parseUri(`sip:${escapeUser(user)}@host`);
        return typeof uri !== 'string' && uri.user === user;
      },
    ),
  );
  t.end();
});

t.test('name-addr, Via and parameters', (t) => {
  t.same(parseNameAddress('<sip:a@b;lr>;tag=1'), { uri: 'sip:a@b;lr', parameters: ';tag=1' });
  t.same(
    parseNameAddress('sip:a@b;unknownparam'),
    { uri: 'sip:a@b', parameters: ';unknownparam' },
    'a header parameter (3.3.12)',
  );
  t.same(parseNameAddress('caller<sip:caller@example.com>;tag=323'), {
    uri: 'sip:caller@example.com',
    parameters: ';tag=323',
  });
  t.same(parseNameAddress('"<sip:no@no>" <sip:a@b>'), { uri: 'sip:a@b', parameters: '' });
  for (const bad of ['', '<>', '<sip:a@b', 'sip:a@b?Route=x', '"x" sip:a@b', 'x', '<sip:a@b> x', '<sip:a b>']) {
    t.equal(parseNameAddress(bad), null, bad);
  }
  const via = parseVia('SIP / 2.0 / UDP 192.0.2.1 : 5061 ;branch=z9hG4bKx;received=[2001:db8::9:255];rport');
  t.match(via, { transport: 'UDP', host: '192.0.2.1', port: 5061, branch: 'z9hG4bKx', rport: '' });
  t.match(parseVia('SIP/2.0/UNKNOWN t5.example.com;branch=a'), { transport: 'UNKNOWN' }, 'any transport (3.1.1.10)');
  t.match(parseVia('SIP/2.0/UDP [2001:db8::9:1];received=2001:db8::9:255;branch=b'), {
    host: '2001:db8::9:1',
    branch: 'b',
  });
  for (const bad of ['', 'SIP/2.0', 'SIP/2.0/UDP', 'SIP/x/UDP h', 'HTTP/2.0/UDP h', 'SIP/2.0/UDP 2001:db8::1']) {
    t.equal(parseVia(bad), null, bad);
  }
  if (via !== null) {
    t.equal(stampVia('SIP/2.0/UDP h;rport;branch=b', via, '::1', 9), 'SIP/2.0/UDP h;rport=9;branch=b;received=::1');
    t.equal(responsePort(via, 9), 9);
    t.equal(responsePort({ ...via, rport: null, port: 0 }, 9), 5060);
  }
  t.equal(parseVia('SIP/2.0/UDP h;;,;,,')?.wellFormed, false);
  t.equal(parseVia('SIP/3.0/UDP h')?.wellFormed, false, 'a version that is not ours can be answered');
  t.same([hasCookie('Z9HG4bKx'), hasCookie('z9hG4bK'), hasCookie('x')], [true, false, false]);
  const text = 'x ; A = "1;b=2" ;b ; c=3';
  t.same(
    ['a', 'b', 'c', 'd'].map((name) => parameter(text, 0, text.length, name)),
    ['"1;b=2"', '', '3', null],
  );
  t.same(membersOf('"a,b" <sip:x,y>, , c'), ['"a,b" <sip:x,y>', 'c']);
  t.equal(unquote('"a\\"b"'), 'a"b');
  t.end();
});

t.test(
  'a function that remembers says what it would say without, and asks again for none of the last two',
  async () => {
    const text = fc.constantFrom('', 'sip:a@192.0.2.1', 'sip:b@192.0.2.1', 'sip:c@192.0.2.1');
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const computed: string[] = [];
        const remembers = rememberLast((one) => {
          computed.push(one);
          return `<${one}>`;
        });
        let lastTwo = [''];
        for (const one of texts) {
          const before = computed.length;
          if (remembers(one) !== `<${one}>` || (lastTwo.includes(one) && computed.length > before)) return false;
          lastTwo = [one, ...lastTwo.filter((other) => other !== one)].slice(0, 2);
        }
        return true;
      }),
    );
  },
);

t.test('the same of a piece of a text, wherever it stands', async () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'sip:'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, piece, piece)), (texts) => {
      let computed = 0;
      const remembers = rememberPiece((one) => {
        computed++;
        return `<${one}>`;
      });
      let last = '';
      for (const [before, one, behind] of texts) {
        const sofar = computed;
        const result = remembers(before + one + behind, before.length, before.length + one.length);
        if (result !== `<${one}>` || (one === last && computed > sofar)) return false;
        last = one;
      }
      return true;
    }),
  );
});
