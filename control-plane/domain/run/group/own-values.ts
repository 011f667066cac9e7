/** Endpoints' own values, and the texts of their group that use them (proto/words/template.ts). Pure. */
import { counted, filled, hasPlaces, placesOf, rangeOf } from '@carillon/proto/words/template.ts';
import { escapeUser, sipHost } from '../../../contract/sip-uri.ts';
import { FILLED } from '../../../contract/test-settings/caller.ts';
import type { Action } from '../../../contract/test-settings/scenario.ts';
import type { GroupSettings } from '../../../contract/test-settings/settings.ts';
import { ACCOUNT_COLUMNS } from '../../../contract/test-settings/words.ts';
import type { AccountNames } from './accounts.ts';

/** An endpoint, with its account or without one. */
export type Owner = {
  readonly account: AccountNames | null;
  readonly user: string;
  /** Its position in its group, from 0; absent: the first. */
  readonly nth?: number;
};

type OfEvery = Readonly<Record<(typeof ACCOUNT_COLUMNS)[number], (owner: Owner) => string>>;
const OF_EVERY: OfEvery = {
  username: ({ account, user }) => account?.username ?? user,
  authName: ({ account, user }) => account?.authName ?? account?.username ?? user,
  displayName: ({ account }) => account?.displayName ?? '',
  number: ({ account, user }) => account?.number ?? account?.username ?? user,
};

/** Null: it has no value of that name. */
export const ownValue = (owner: Owner, name: string): string | null =>
  Object.hasOwn(OF_EVERY, name)
    ? OF_EVERY[name as keyof OfEvery](owner)
    : (owner.account?.values[name] ?? counted(name, owner.nth ?? 0));

const valuesOf = (text: string, owner: Owner): Record<string, string> =>
  Object.fromEntries(placesOf(text).map((name) => [name, ownValue(owner, name) ?? '']));

export const filledText = (text: string, owner: Owner): string =>
  hasPlaces(text) ? filled(text, valuesOf(text, owner)) : text;

/** Values are escaped for a user name: a value must not lead to another host. */
export function filledUri(uri: string, owner: Owner): string {
  if (!hasPlaces(uri)) return uri;
  const values = valuesOf(uri, owner);
  return filled(uri, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeUser(value)])));
}

type OwnText = {
  /** The path within the group. */
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** True if the text is valid with these values. */
  readonly isSound: (owner: Owner) => boolean;
};

type Texts = Pick<
  GroupSettings,
  'displayName' | 'callerNumber' | 'assertedIdentity' | 'diversion' | 'headers' | 'dtmf'
> & {
  readonly actions: readonly Action[];
  readonly callee: { readonly mode: string; readonly uri?: string; readonly uris?: readonly string[] | undefined };
};

/** The texts that contain placeholders. */
export function ownTexts(group: Texts): OwnText[] {
  const { displayName, callerNumber, assertedIdentity, diversion, headers, dtmf, actions, callee } = group;
  const as =
    (kind: keyof typeof FILLED) =>
    (text: string | null | undefined, ...path: (string | number)[]): OwnText[] =>
      text && hasPlaces(text)
        ? [{ path, text, isSound: (owner) => FILLED[kind].test(filled(text, valuesOf(text, owner))) }]
        : [];
  const called = (text: string | undefined, ...path: (string | number)[]): OwnText[] =>
    text && hasPlaces(text) ? [{ path, text, isSound: (o) => sipHost(filledUri(text, o)) !== undefined }] : [];
  return [
    ...as('displayName')(displayName, 'displayName'),
    ...as('callerNumber')(callerNumber, 'callerNumber'),
    ...as('uri')(assertedIdentity, 'assertedIdentity'),
    ...as('uri')(diversion?.uri, 'diversion', 'uri'),
    ...headers.flatMap(({ value }, i) => as('value')(value, 'headers', i, 'value')),
    ...as('digits')(dtmf?.digits, 'dtmf', 'digits'),
    ...actions.flatMap(({ action }, i) =>
      action.do === 'SEND_DTMF' ? as('digits')(action.digits, 'actions', i, 'action', 'digits') : [],
    ),
    ...actions.flatMap(({ action }, i) =>
      'target' in action ? called(action.target, 'actions', i, 'action', 'target') : [],
    ),
    ...called(callee.uri, 'callee', 'uri'),
    ...(callee.uris ?? []).flatMap((uri, i) => called(uri, 'callee', 'uris', i)),
  ];
}

const OF_ACCOUNTS: ReadonlySet<string> = new Set(ACCOUNT_COLUMNS);

/** The names in a text that only some accounts have a value for. */
export const ownNames = (text: string): string[] =>
  placesOf(text).filter((name) => !OF_ACCOUNTS.has(name) && rangeOf(name) === null);

/** Missing or invalid values of these accounts, first by text and then by account; null: none. */
export function valueFault(texts: readonly OwnText[], accounts: readonly AccountNames[]): string | null {
  for (const { path, text, isSound } of texts) {
    for (const name of ownNames(text)) {
      if (accounts.length === 0) return `${path.join('.')} uses {{${name}}}, but there is no account with that value`;
      const without = accounts.filter((a) => a.values[name] === undefined);
      if (without.length > 0) return `${named(without)} no value for {{${name}}}`;
    }
    const unsound = accounts.find((account) => !isSound({ account, user: '' }));
    if (unsound) return `with the values of account ${unsound.username}, ${path.join('.')} is not what it has to be`;
  }
  return null;
}

const MAX_NAMED = 3;

function named(accounts: readonly AccountNames[]): string {
  const names = accounts.slice(0, MAX_NAMED).map((a) => a.username);
  const more = accounts.length > MAX_NAMED ? ` and ${accounts.length - MAX_NAMED} more` : '';
  return `account${accounts.length > 1 ? 's' : ''} ${names.join(', ')}${more} ${accounts.length > 1 ? 'have' : 'has'}`;
}
