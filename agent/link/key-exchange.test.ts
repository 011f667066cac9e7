/** A change of the agent's key: what is sent, and what each answer does to the keys on disk. */
import { createPublicKey, verify } from 'node:crypto';
import { mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signedKeyChange, type wire } from '@carillon/proto';
import t, { type Test } from 'tap';
import { openIdentity } from './identity.ts';
import { KeyExchange } from './key-exchange.ts';

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const publicKey = (raw: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' });

async function opened(t: Test) {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-keys-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const identity = await openIdentity(dir);
  const sent: wire.agent.v1.KeyChange.$Properties[] = [];
  const results: (string | null)[] = [];
  const logged: string[] = [];
  const say = (_fields: object | string, message = ''): number => logged.push(message);
  const exchange = new KeyExchange({
    identity,
    log: { debug: say, info: (message: string) => logged.push(message), warn: say, error: say } as never,
    send: ({ keyChange }) => sent.push(keyChange),
    onKey: (refused) => results.push(refused),
  });
  return { dir, identity, exchange, sent, results, logged, files: () => readdirSync(dir).sort() };
}
const BEFORE = ['agent.key'];
const DURING = ['agent.key', 'agent.key.next'];

t.test('without a next key nothing is presented', async (t) => {
  const { exchange, sent, results } = await opened(t);
  exchange.present(true);
  exchange.present(false);
  exchange.welcomed();
  t.same([sent, results], [[], []]);
});

t.test('the next key is presented with the consent of the present one, and its own proof', async (t) => {
  const { exchange, identity, sent, files } = await opened(t);
  t.ok(exchange.prepare());
  t.ok(exchange.prepare(), 'again: the same next key');
  t.same(files(), DURING);
  exchange.present(true);
  const { from, to } = identity.change as NonNullable<typeof identity.change>;
  const [change] = sent as [Required<wire.agent.v1.KeyChange.$Properties>];
  t.same(change.publicKey, to.publicKey);
  const signed = signedKeyChange(from.publicKey, to.publicKey);
  t.ok(verify(null, signed, publicKey(from.publicKey), change.consent as Uint8Array));
  t.ok(verify(null, signed, publicKey(to.publicKey), change.proof as Uint8Array));
});

t.test('the result of each refusal of a key', async (t) => {
  const stranger = new Uint8Array(32).fill(7);
  const rows: {
    name: string;
    refused: string;
    ofNext: boolean;
    results: (string | null)[];
    files: string[];
    changes: boolean;
  }[] = [
    { name: 'granted', refused: '', ofNext: true, results: [null], files: BEFORE, changes: true },
    { name: 'refused', refused: 'no', ofNext: true, results: ['no'], files: BEFORE, changes: false },
    { name: 'another key is refused', refused: 'no', ofNext: false, results: [], files: DURING, changes: false },
    { name: 'another key is granted', refused: '', ofNext: false, results: [null], files: DURING, changes: false },
  ];
  for (const { name, refused, ofNext, results, files, changes } of rows)
    await t.test(name, async (t) => {
      const one = await opened(t);
      one.exchange.prepare();
      const { from, to } = one.identity.change as NonNullable<typeof one.identity.change>;
      one.exchange.answered({ publicKey: ofNext ? to.publicKey : stranger, refused });
      t.same(one.results, results);
      t.same(one.files(), files);
      t.same(one.identity.present.publicKey, changes ? to.publicKey : from.publicKey);
    });
});

t.test('a control plane that is too old has refused', async (t) => {
  const { exchange, sent, results, files } = await opened(t);
  exchange.prepare();
  exchange.present(false);
  t.same(sent, []);
  t.same(results, ["The control plane's version cannot change keys."]);
  t.same(files(), BEFORE);
});

t.test('welcomed with the next key: the receipt was lost, the change was not', async (t) => {
  const { exchange, identity, results, files } = await opened(t);
  exchange.prepare();
  exchange.welcomed();
  t.same(results, [], 'with the present one nothing is settled');
  identity.again();
  t.ok(identity.isNext, 'the next connection tries the next key');
  exchange.welcomed();
  t.same(results, [null]);
  t.same(files(), BEFORE);
  exchange.welcomed();
  t.same(results, [null], 'once');
});

t.test('a next key that cannot be written', async (t) => {
  const { dir, exchange, identity, results, logged } = await opened(t);
  mkdirSync(path.join(dir, 'agent.key.next.draft'));
  t.notOk(exchange.prepare());
  t.match(results, [/EISDIR/]);
  t.match(logged, [/a new key cannot be written/]);
  t.equal(identity.change, null);
});

t.test('a next key that has gone from the disk is reported, and both keys stay', async (t) => {
  const { dir, exchange, identity, results, logged } = await opened(t);
  exchange.prepare();
  unlinkSync(path.join(dir, 'agent.key.next'));
  const { to } = identity.change as NonNullable<typeof identity.change>;
  exchange.answered({ publicKey: to.publicKey, refused: '' });
  t.match(logged, [/the new key cannot be written; next attempt/]);
  t.same(results, [null]);
  t.not(identity.change, null);
});
