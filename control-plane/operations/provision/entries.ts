/**
 * Finds the objects of a provisioning file whose entries differ from what was last applied. Only these are applied, so
 * that a start undoes nothing that people have changed. The file is compared as it is written, without defaults:
 * another version with other defaults applies nothing again.
 */
import { createHash } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import {
  deleteProvisionedEntries,
  listProvisionedEntries,
  putProvisionedEntries,
} from '../../store/project/provisioned-entries.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An existing object, and its entry in the file. */
export type ProvisionedObject<T> = { readonly id: string; readonly said: T; readonly entry: FileEntry };

/** One object of the file, or some of its fields. */
export type FileEntry = {
  /** The entry has changed, or its owner has just been created; reading this marks the entry as applied. */
  readonly isNew: boolean;
  /** The entry was applied before, with any content, and its owner is still the same. */
  readonly isKnown: boolean;
  /** An object in one of the entry's lists; `key`: what identifies it. */
  at(list: string, index: number, key: string): FileEntry;
  /** Some fields, which are applied on their own. */
  only(...fields: readonly string[]): FileEntry;
  without(...fields: readonly string[]): FileEntry;
  /** The same entry, with everything in it new. */
  ofNewOwner(): FileEntry;
  /** Leaves the entry alone with everything that belongs to it. */
  leave(): void;
  /** True if something that belongs to the entry is new, or gone. */
  isTouched(): boolean;
};

export type Entries = { of(list: string, index: number, key: string): FileEntry; save(): Promise<void> };

/** `written`: the whole file (writtenIn). */
export async function openEntries(tx: Tx, written: unknown): Promise<Entries> {
  const before = new Map((await listProvisionedEntries(tx)).map(({ name, digest }) => [name, digest]));
  const now = new Set<string>();
  const news = new Map<string, Secret>();
  const below = (name: string) => (other: string) => other === name || other.startsWith(`${name}/`);

  function entry(name: string, content: unknown, isForced: boolean): FileEntry {
    const fields = (content ?? {}) as Fields;
    const some = (keep: (field: string) => boolean) =>
      Object.fromEntries(Object.entries(fields).filter(([field]) => keep(field)));
    return {
      get isNew() {
        if (!now.has(name) && !news.has(name)) {
          const digest = digestOf(content);
          if (before.get(name)?.equals(digest)) now.add(name);
          else news.set(name, digest);
        }
        return isForced || news.has(name);
      },
      isKnown: !isForced && (before.get(name) ?? null) !== null,
      at: (list, index, key) => entry(`${name}/${list}/${key}`, (fields[list] as Fields[])[index], isForced),
      only: (...chosen) =>
        entry(
          `${name}/${chosen.join('+')}`,
          some((field) => chosen.includes(field)),
          isForced,
        ),
      without: (...left) =>
        entry(
          `${name}/self`,
          some((field) => !left.includes(field)),
          isForced,
        ),
      ofNewOwner: () => entry(name, content, true),
      leave() {
        for (const other of [...before.keys()].filter(below(name))) now.add(other);
      },
      isTouched() {
        const isGone = (other: string) => !now.has(other) && !news.has(other);
        return [...news.keys()].some(below(name)) || [...before.keys()].filter(below(name)).some(isGone);
      },
    };
  }

  return {
    of: (list, index, key) => entry(key, ((written as Fields)[list] as Fields[])[index], false),
    async save() {
      const gone = [...before.keys()].filter((name) => !now.has(name) && !news.has(name));
      await deleteProvisionedEntries(tx, gone);
      await putProvisionedEntries(
        tx,
        [...news].map(([name, digest]) => ({ id: newId(), name, digest })),
      );
    },
  };
}

/** The order of keys has no meaning. */
function digestOf(content: unknown): Secret {
  const text = JSON.stringify(content, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return new Secret(
    createHash('sha256')
      .update(text ?? '')
      .digest('base64'),
  );
}
