/** The agent's key on disk: created once, two of them during a change. */
import { createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { openIdentity } from './identity.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-identity-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));

t.test('a new key: two until it is known which of them is, one afterwards', async (t) => {
  const folder = path.join(dir, 'changing');
  const identity = await openIdentity(folder);
  const old = identity.publicKey;
  t.equal(identity.known(old), false, 'nothing changes');
  identity.prepare();
  const next = identity.change?.to.publicKey as Uint8Array;
  identity.prepare();
  t.same(identity.change?.to.publicKey, next, 'asked for twice, made once');
  t.same(identity.publicKey, old, 'the connection that is open goes on with the old one');
  const killed = await openIdentity(folder);
  t.ok(killed.isNext, 'after a restart the agent shows the next key first');
  t.ok(killed.unknown(), 'and has another where nobody knows it');
  t.same([killed.isNext, killed.publicKey], [false, old]);
  t.ok(killed.unknown(), 'then the next one again: it may be known by now');
  t.ok(killed.isNext);
  t.notOk(killed.unknown(), 'then none');
  killed.again();
  t.ok(killed.isNext);
  t.ok(killed.known(next));
  t.same((await openIdentity(folder)).publicKey, next);
  t.equal((await openIdentity(folder)).change, null);
  t.equal((await stat(path.join(folder, 'agent.key'))).mode & 0o777, 0o600);
  killed.prepare();
  killed.abandon(killed.change?.to.publicKey ?? Buffer.alloc(0));
  t.same((await openIdentity(folder)).publicKey, next, 'a next key that is refused is forgotten');
});

t.test('identity: made once, kept, never replaced', async (t) => {
  const first = await openIdentity(path.join(dir, 'id'));
  const second = await openIdentity(path.join(dir, 'id'));
  t.same(first.publicKey, second.publicKey);
  const file = path.join(dir, 'id', 'agent.key');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), first.publicKey]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  t.ok(verify(null, Buffer.from('x'), key, first.sign(Buffer.from('x'))));
  await writeFile(file, 'no key');
  await t.rejects(openIdentity(path.join(dir, 'id')), /damaged/);
  t.equal(await readFile(file, 'utf8'), 'no key');
});
