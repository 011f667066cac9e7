import t from 'tap';
import { reasonOf, retrying } from './retries.ts';

const once = { method: 'POST', headers: { 'idempotency-key': 'k' } };

/** Answers in turn; a text is a network error. */
function server(answers: readonly (number | string)[]) {
  const asked: string[] = [];
  const send = async (_input: unknown, init: RequestInit = {}): Promise<Response> => {
    const answer = answers[asked.length];
    asked.push(`${init.method ?? 'GET'} ${new Headers(init.headers).get('idempotency-key') ?? ''}`.trim());
    if (typeof answer === 'string') throw new TypeError('fetch failed', { cause: { code: answer } });
    return new Response('{}', { status: answer ?? 200, headers: { 'retry-after': '0' } });
  };
  const told: string[] = [];
  const fetch = retrying({
    attempts: 3,
    ending: new AbortController().signal,
    report: (message) => told.push(message),
    send: send as typeof globalThis.fetch,
    firstPauseMs: 1,
  });
  return { fetch, asked, told };
}

t.test('what passes is tried again', async (t) => {
  const { fetch, asked, told } = server([429, 'ECONNRESET', 200]);
  t.equal((await fetch('http://x')).status, 200);
  t.same(asked, ['GET', 'GET', 'GET']);
  t.match(told, [/429/, /ECONNRESET/]);
});

t.test('so often and no more', async (t) => {
  const busy = server([503, 503, 503, 200]);
  t.equal((await busy.fetch('http://x')).status, 503);
  t.equal(busy.asked.length, 3);
  const away = server(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
  await t.rejects(away.fetch('http://x'), { cause: { code: 'ECONNREFUSED' } });
});

t.test('a change is repeated under its key only', async (t) => {
  const bare = server(['ECONNRESET', 200]);
  await t.rejects(bare.fetch('http://x', { method: 'POST' }));
  t.equal(bare.asked.length, 1);
  const limited = server([429, 200]);
  t.equal(
    (await limited.fetch('http://x', { method: 'POST' })).status,
    200,
    'what was refused unseen may be sent again',
  );
  const keyed = server(['ECONNRESET', 502, 200]);
  t.equal((await keyed.fetch('http://x', once)).status, 200);
  t.same(keyed.asked, ['POST k', 'POST k', 'POST k'], 'the same key each time');
});

t.test('what does not pass is not repeated', async (t) => {
  const { fetch, asked } = server([422, 200]);
  t.equal((await fetch('http://x')).status, 422);
  t.equal(asked.length, 1);
});

t.test('a certificate that is not trusted is not asked for again, and the reason says what to do', async (t) => {
  for (const code of ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT']) {
    const { fetch, asked } = server([code, 200]);
    const error = await fetch('http://x').catch((e) => e);
    t.equal(asked.length, 1);
    t.match(reasonOf(error), new RegExp(`${code}.*NODE_EXTRA_CA_CERTS`));
  }
});
