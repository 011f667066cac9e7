/** The changes that make a project equal to its file, and the things of a project that its file does not name. Pure. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import diff from 'microdiff';
import type { Paint } from '../io.ts';
import { shortened } from '../text/table.ts';
import { type Document, type DocumentKind, type Documents, KINDS } from './documents.ts';

type Difference = { readonly path: string; readonly from: unknown; readonly to: unknown };

export type Change = {
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly kind: DocumentKind;
  readonly key: string;
  /** Only an UPDATE has differences. */
  readonly differences: readonly Difference[];
};

export type Changes = {
  /** The changes are in an order in which they can be made. */
  readonly pending: readonly Change[];
  /** Things that exist but are not in the file. They are not changed. */
  readonly unnamed: readonly string[];
};

export function changesOf(wanted: Documents, found: Documents, prune: boolean): Changes {
  const unnamed: string[] = [];
  const made = KINDS.flatMap((kind) =>
    [...wanted]
      .filter(([, one]) => one.kind === kind)
      .flatMap(([id, { key, body }]): Change[] => {
        const there = found.get(id);
        if (there === undefined) return [{ action: 'CREATE', kind, key, differences: [] }];
        const known = prune ? there.body : withoutUnnamedAccounts(kind, body, there.body, id, unnamed);
        const differences = differencesOf(known, body);
        return differences.length > 0 ? [{ action: 'UPDATE', kind, key, differences }] : [];
      }),
  );
  const others = KINDS.toReversed().flatMap((kind) =>
    [...found].filter(([id, one]) => one.kind === kind && kind !== 'project' && !wanted.has(id)),
  );
  const gone = others.map(([, { kind, key }]): Change => ({ action: 'DELETE', kind, key, differences: [] }));
  return prune
    ? { pending: [...made, ...gone], unnamed }
    : { pending: made, unnamed: [...unnamed, ...others.map(([id]) => id)] };
}

/** Accounts may have been created elsewhere, so unnamed ones are kept unless they are to be pruned. */
function withoutUnnamedAccounts(
  kind: DocumentKind,
  wanted: Document,
  found: Document,
  of: string,
  unnamed: string[],
): Document {
  if (kind !== 'registrar') return found;
  const named = wanted['sipAccounts'] as Document;
  const accounts = Object.entries(found['sipAccounts'] as Document);
  const others = accounts.filter(([username]) => !Object.hasOwn(named, username));
  if (others.length > 0) unnamed.push(`${of}: ${others.length} SIP ${others.length === 1 ? 'account' : 'accounts'}`);
  return { ...found, sipAccounts: Object.fromEntries(accounts.filter(([username]) => Object.hasOwn(named, username))) };
}

const differencesOf = (found: Document, wanted: Document): Difference[] =>
  diff(found as object, wanted as object).map((d) => ({
    path: d.path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${part}`)).join(''),
    from: 'oldValue' in d ? d.oldValue : undefined,
    to: 'value' in d ? d.value : undefined,
  }));

const SIGNS = { CREATE: ['+', 'green'], UPDATE: ['~', 'yellow'], DELETE: ['-', 'red'] } as const;
const MAX_VALUE = 60;

const printed = (value: unknown): string =>
  value === undefined ? '(none)' : shortened(plain(JSON.stringify(value)), MAX_VALUE);

export function changeLines({ pending, unnamed }: Changes, paint: Paint): string[] {
  const lines = pending.flatMap(({ action, kind, key, differences }) => {
    const [sign, tone] = SIGNS[action];
    return [
      paint(tone, `${sign} ${kind} ${plain(key)}`),
      ...differences.map(
        ({ path, from, to }) => `    ${plain(path)}: ${paint('red', printed(from))} -> ${paint('green', printed(to))}`,
      ),
    ];
  });
  const count = (action: Change['action']) => pending.filter((change) => change.action === action).length;
  return [
    ...lines,
    ...unnamed.map((what) => paint('dim', `  ${plain(what)} is not in the file; --prune deletes it`)),
    pending.length === 0
      ? 'No changes: the project matches the file.'
      : paint('bold', `${count('CREATE')} to create, ${count('UPDATE')} to change, ${count('DELETE')} to delete.`),
  ];
}
