/**
 * `npm run sealing-keys`: lists and rotates the keys that seal secrets in the database, while the control plane runs.
 * Both are found by the environment of the control plane.
 */
import { Closers } from '@carillon/proto/base/closers.ts';
import { calledAs } from '../called-as.ts';
import { readConfig } from '../config.ts';
import { installMessages } from '../contract/plain-issues.ts';
import type { Database } from '../store/db.ts';
import { KeyRing, newKey, parseKey, type SealingKey } from '../store/secrets/key-ring.ts';
import { lockSealed, reseal, secretsByKey } from '../store/secrets/reseal.ts';
import { forgetKey, noteKey, usedKeys } from '../store/secrets/sealing-keys.ts';
import { openOwnDatabase } from './open.ts';

const USAGE = `${calledAs('sealing-keys')} COMMAND

  list           keys, and how many secrets in the database each has sealed
  add            one more key at the end of the file: it opens, and does not seal yet. For installations on several hosts: add,
                 copy the file to the others, then rotate to that key
  rotate [KEY]   a new key, or the one of that id, seals from now on; every secret is sealed with it
  drop           takes keys out of the file with which nothing is sealed any more
  forget KEY     the key of that id is lost: the control plane starts without it, and what it sealed must be set again`;

type Command = (ring: KeyRing, database: Database, id: string | undefined) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = { list, add, rotate, drop, forget };

const idOf = ({ id }: SealingKey): string => id.toString('hex');

async function list(ring: KeyRing, { db }: Database): Promise<void> {
  const sealed = await secretsByKey(db);
  const known = ring.all().map(idOf);
  const used = (await usedKeys(db)).map((id) => id.toString('hex'));
  for (const id of new Set([...known, ...used, ...sealed.keys()])) {
    const state = known[0] === id ? 'seals' : known.includes(id) ? 'opens' : 'is missing';
    console.log(`${id}  ${state}  ${sealed.get(id) ?? 0} secrets`);
  }
}

async function add(ring: KeyRing): Promise<void> {
  const key = parseKey(newKey());
  ring.write([...ring.all(), key]);
  console.log(
    `${idOf(key)} is in ${ring.where}, and opens. Copy the file to every control plane, then: rotate ${idOf(key)}`,
  );
}

async function rotate(ring: KeyRing, database: Database, id: string | undefined): Promise<void> {
  const keys = ring.all();
  const key = id === undefined ? parseKey(newKey()) : keys.find((one) => idOf(one) === id);
  if (!key) throw new Error(`${ring.where} has no key ${id}; \`list\` shows the keys.`);
  ring.write([key, ...keys.filter((one) => one !== key)]);
  await noteKey(database.db, key.id, new Date());
  const { count, unreadable } = await reseal(database);
  console.log(`${idOf(key)} seals from now on; ${count} rows were sealed again with it.`);
  if (unreadable > 0) console.log(`${unreadable} rows are unchanged: no key in ${ring.where} opens them.`);
  console.log('Keep a copy of the file. Once no backup needs the keys before it: drop');
}

async function drop(ring: KeyRing, database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // By this time, transactions that sealed with the previous key have committed.
    await lockSealed(tx);
    const sealed = await secretsByKey(tx);
    const [current, ...others] = ring.all();
    const idle = others.filter((key) => !sealed.has(idOf(key)));
    if (current === undefined || idle.length === 0) return console.log('Every key is needed.');
    ring.write([current, ...others.filter((key) => !idle.includes(key))]);
    for (const { id } of idle) await forgetKey(tx, id);
    console.log(`Dropped ${idle.map(idOf).join(', ')}. Backups that were made with them cannot be read any more.`);
  });
}

async function forget(ring: KeyRing, { db }: Database, id: string | undefined): Promise<void> {
  if (id === undefined) throw new Error('forget needs the id of the key that is lost; `list` names it.');
  if (ring.all().some((key) => idOf(key) === id)) throw new Error(`Key ${id} is in ${ring.where}: it is not lost.`);
  await forgetKey(db, Buffer.from(id, 'hex'));
  console.log(
    `The control plane starts without ${id}. ${(await secretsByKey(db)).get(id) ?? 0} secrets must be set again.`,
  );
}

async function run(name: string | undefined, id: string | undefined): Promise<void> {
  const command = name === undefined ? undefined : COMMANDS[name];
  if (!command) throw new Error(USAGE);
  await Closers.around(async (closers) => {
    const config = readConfig(process.env);
    const ring = new KeyRing(config.sealingKeys);
    await command(ring, await openOwnDatabase(config, closers, ring), id);
    await closers.close();
  });
}

installMessages();
const [name, id] = process.argv.slice(2);
try {
  await run(name, id);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
