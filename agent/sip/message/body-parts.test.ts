/** Bodies of several parts (RFC 5621): which part is the session description, and which bodies are refused. */

import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { requestOf, responseTo, SDP } from '../../testing/sip/virtual.ts';
import { readBody } from './body-parts.ts';
import { parseMessage } from './parse.ts';

type Part = { readonly lines?: readonly string[]; readonly content: string };

const description = (content = SDP()): Part => ({ lines: ['Content-Type: application/sdp'], content });
const LOCATION = '<?xml version="1.0"?><presence entity="pres:a@lab.example"/>';
const location = (...lines: readonly string[]): Part => ({
  lines: ['Content-Type: application/pidf+xml', ...lines],
  content: LOCATION,
});
const OPTIONAL = 'Content-Disposition: render;handling=optional';
const REQUIRED = 'Content-Disposition: signal;handling=required';

const written = (parts: readonly Part[], boundary = 'b1', before = '', after = ''): string =>
  `${before}${parts.map(({ lines = [], content }) => `--${boundary}\r\n${[...lines, '', content].join('\r\n')}\r\n`).join('')}--${boundary}--\r\n${after}`;
const mixed = (parts: readonly Part[]) => readBody(written(parts), 'multipart/mixed;boundary=b1', null);
const typed = (type: string, ...parts: readonly Part[]): Part => ({
  lines: [`Content-Type: ${type};boundary="in ner"`],
  content: written(parts, 'in ner'),
});

const other = SDP('sendonly', '192.0.2.77');
const encoded = (encoding: string, content: string): Part => ({
  lines: ['content-type : application/sdp', `Content-Transfer-Encoding: ${encoding}`],
  content,
});

t.test('the part that describes the session', async (t) => {
  const rows: [string, readonly Part[], string][] = [
    ['alone', [description()], SDP()],
    ['first', [description(), location(OPTIONAL)], SDP()],
    ['after alternatives of which none is known', [typed('multipart/alternative', location()), description()], SDP()],
    [
      'before parts that cannot be taken apart',
      [description(), { lines: ['Content-Type: multipart/related', OPTIONAL], content: 'x' }],
      SDP(),
    ],
    [
      'after parts that cannot be taken apart, of no disposition',
      [{ lines: ['Content-Type: multipart/related'], content: 'x' }, description()],
      SDP(),
    ],
    ['last', [location(OPTIONAL), description()], SDP()],
    ['beside what has no disposition (RFC 6442, 5.1)', [location('Content-ID: <a@b>'), description()], SDP()],
    ['the first of two', [description(), description(other)], SDP()],
    [
      'not an early session (RFC 3959)',
      [
        {
          lines: ['Content-Type: application/sdp', 'Content-Disposition: early-session;handling=optional'],
          content: other,
        },
        description(),
      ],
      SDP(),
    ],
    ['beside text that looks like one', [{ content: `v=0\r\nm=audio 9 RTP/AVP 0` }, description()], SDP()],
    ['folded, in the compact form', [{ lines: ['c:', '\tapplication/sdp'], content: SDP() }], SDP()],
    ['base64', [encoded('BASE64', Buffer.from(SDP()).toString('base64'))], SDP()],
    [
      'quoted-printable',
      [encoded('quoted-printable', SDP().replaceAll('=', '=3D').replace('audio', 'au=\r\ndio'))],
      SDP(),
    ],
    ['8bit', [encoded('8bit', SDP())], SDP()],
    ['within another', [location(OPTIONAL), typed('multipart/mixed', description())], SDP()],
    ['the best alternative', [typed('multipart/alternative', description(other), description(), location())], SDP()],
    ['none', [location(OPTIONAL)], ''],
    ['in an unknown encoding', [encoded('x-zip', SDP())], ''],
  ];
  for (const [what, parts, sdp] of rows) t.same(mixed(parts), { sdp, fault: null }, what);
});

t.test('what is refused', async (t) => {
  const rows: [string, string, string, string | null, string | null][] = [
    [
      'a part that must be understood',
      written([description(), location(REQUIRED)]),
      'multipart/mixed;boundary=b1',
      null,
      'TYPE',
    ],
    [
      'required is the default',
      written([description(), location('Content-Disposition: signal')]),
      'multipart/mixed;boundary=b1',
      null,
      'TYPE',
    ],
    [
      'deep inside',
      written([typed('multipart/mixed', location(REQUIRED)), description()]),
      'multipart/mixed;boundary=b1',
      null,
      'TYPE',
    ],
    [
      'all of it optional',
      written([description(), location(REQUIRED)]),
      'multipart/mixed;boundary=b1',
      'session;handling=optional',
      null,
    ],
    ['no alternative is known', written([location(), location()]), 'multipart/alternative;boundary=b1', null, 'TYPE'],
    ['no boundary', written([description()]), 'multipart/mixed', null, 'SYNTAX'],
    ['another boundary', written([description()]), 'multipart/mixed;boundary=b2', null, 'SYNTAX'],
    ['an unknown type', LOCATION, 'application/pidf+xml', null, 'TYPE'],
    ['an unknown type that is optional', LOCATION, 'application/pidf+xml', 'render;handling=optional', null],
    ['a description', SDP(), 'application/sdp', null, null],
    ['a description, with a parameter', SDP(), 'Application / SDP;charset=utf-8', 'session', null],
  ];
  for (const [what, body, type, disposition, fault] of rows)
    t.equal(readBody(body, type, disposition).fault, fault, what);
});

t.test('the root of multipart/related comes first (RFC 2387)', async (t) => {
  const root = { lines: ['Content-Type: application/sdp', 'Content-ID: <root@x>'], content: SDP() };
  const type = 'multipart/related;boundary=b1;start="<root@x>"';
  t.equal(readBody(written([description(other), root]), type, null).sdp, SDP());
});

t.test('preamble, epilogue, any boundary, bare line feeds, an end that is missing', async () => {
  const boundaries = fc.stringMatching(/^[0-9A-Za-z'()+_,./:=?-]{1,70}$/);
  const noise = fc.stringMatching(/^[ -~]{0,40}$/);
  fc.assert(
    fc.property(boundaries, noise, noise, fc.boolean(), fc.boolean(), (boundary, before, after, feeds, ends) => {
      fc.pre(!before.includes(`--${boundary}`) && !after.includes(`--${boundary}`));
      fc.pre(!SDP().includes(`--${boundary}`) && !LOCATION.includes(`--${boundary}`));
      const parts = [location(OPTIONAL), description()];
      let body = written(parts, boundary, before === '' ? '' : `${before}\r\n`, after);
      if (!ends) body = body.slice(0, body.lastIndexOf(`--${boundary}--`));
      if (feeds) body = body.replaceAll('\r\n', '\n');
      const { sdp, fault } = readBody(body, `multipart/mixed; boundary="${boundary}"`, null);
      return fault === null && sdp.trimEnd().replaceAll('\r\n', '\n') === SDP().trimEnd().replaceAll('\r\n', '\n');
    }),
  );
});

t.test('no body makes it throw, and the time is linear', async () => {
  const texts = fc.oneof(
    fc.string(),
    fc.stringMatching(/^(--b1|--b1--|\r\n|\n|:|Content-Type: ?|multipart\/mixed;boundary=b1|a){0,60}$/),
  );
  fc.assert(
    fc.property(texts, fc.string(), (body, disposition) => {
      readBody(body, 'multipart/mixed;boundary=b1', disposition);
      return true;
    }),
  );
});

t.test('more parts than are looked at are refused, not cut', async (t) => {
  const others = (count: number): Part[] => Array.from({ length: count }, () => location());
  t.match(mixed([...others(31), description()]), { sdp: SDP(), fault: null });
  t.match(mixed([...others(32), description()]), { sdp: '', fault: 'SYNTAX' });
});

t.test('a body without a type is a description of the session, also where it has a disposition', async (t) => {
  const answer = responseTo(requestOf('INVITE'), 200, 'OK', { headers: ['Content-Disposition: session'] });
  const message = parseMessage(answer.replace('Content-Length: 0', `Content-Length: ${SDP().length}`) + SDP());
  t.equal(message?.sdp, SDP());
});
