/** Prints masked in every way in which our code or a library prints. */
import { Writable } from 'node:stream';
import { format, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { pino } from 'pino';
import t from 'tap';
import { Secret } from '../base/secret.ts';

const TEXT = 'correct horse battery staple';
const secret = new Secret(TEXT);
const holder = {
  name: 'pbx',
  account: { username: '1001', password: secret },
  list: [secret],
  map: new Map([[1, secret]]),
};

function logged(fields: object, message: string): string {
  const lines: string[] = [];
  const stream = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
  pino({ base: null }, stream).info(fields, message, secret);
  return lines.join('');
}

t.test('it is masked wherever it is printed', async (t) => {
  const printed: Record<string, string> = {
    text: String(secret),
    template: `the password ${secret}`,
    concatenation: ''.concat(secret as unknown as string),
    'join of a list': [secret, secret].join(),
    JSON: JSON.stringify(holder),
    'JSON of itself': JSON.stringify(secret),
    inspect: inspect(holder, { depth: null }),
    'inspect of everything': inspect(holder, { depth: null, showHidden: true, getters: true }),
    'inspect without its consent': inspect(holder, { depth: null, customInspect: false, showHidden: true }),
    'console.log': format('%s %o %O %j %d', secret, secret, holder, holder, secret),
    error: inspect(new Error(`refused: ${secret}`, { cause: holder })),
    'the fields of a log': logged({ holder, err: new Error(String(secret)) }, 'with %s'),
    'its own properties': JSON.stringify([Object.entries(secret), { ...secret }]),
    'a clone for another thread': inspect(structuredClone(holder), { depth: null }),
    'serialized by v8': serialize(holder).toString('latin1'),
  };
  for (const [way, said] of Object.entries(printed)) {
    t.notMatch(said, TEXT.slice(0, 7), way);
  }
  t.equal(printed['template'], 'the password ***');
  t.equal(printed['JSON of itself'], '"***"');
  t.match(printed['inspect'], /password: \*\*\*/);
});

t.test('it opens on request, and says whether another is the same', async (t) => {
  t.equal(secret.reveal(), TEXT);
  t.ok(secret.equals(new Secret(TEXT)));
  t.notOk(secret.equals(new Secret('another')));
});
