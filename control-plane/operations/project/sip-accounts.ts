/** SIP accounts of a registrar. Passwords are never returned. */
import type { Output } from '../../contract/catalogue.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { referrers } from '../../store/project/references.ts';
import { findRegistrar, holdRegistrars } from '../../store/project/registrars.ts';
import {
  countSipAccounts,
  findSipAccount,
  insertSipAccounts,
  listSipAccounts as list,
  lockSipAccount,
  deleteSipAccount as remove,
  updateSipAccount as update,
} from '../../store/project/sip-accounts.ts';
import { changing, conflict, creating, requireMatch, requireUnused, taken } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';

type Row = Omit<Awaited<ReturnType<typeof list>>[number], 'place'>;

const view = (a: Row): Output<'updateSipAccount'> => ({ ...a, createdAt: a.createdAt.toISOString() });

/** The registrar, which stays until the transaction ends. */
const heldRegistrar = async (tx: Tx, projectId: string, id: string) =>
  known('registrar', id, await byId(id, async () => (await holdRegistrars(tx, projectId, [id]))[0]));

export const listSipAccounts: Handler<'listSipAccounts'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, registrarId } = input;
  const { id } = known(
    'registrar',
    registrarId,
    await byId(registrarId, () => findRegistrar(db, projectId, registrarId)),
  );
  const found = await listed(input, await countSipAccounts(db, id), (w) => list(db, id, input.sort, w));
  return { ...found, rows: found.rows.map(view) };
};

export const createSipAccounts = creating('createSipAccounts', async (_context, tx, input) => {
  const { projectId, registrarId, sipAccounts } = input;
  const registrar = await heldRegistrar(tx, projectId, registrarId);
  if (registrar.isCloud) throw conflict('The built-in registrar has no accounts: agents call each other.');
  requireDistinct(sipAccounts.map((a) => a.username));
  const made = sipAccounts.map((a) => ({ id: newId(), ...a }));
  const inserted = await insertSipAccounts(tx, registrarId, made);
  if (inserted.size < made.length) {
    throw duplicates(made.flatMap((a, i) => (inserted.has(a.id) ? [] : [{ username: a.username, i }])));
  }
  return { sipAccounts: made.map(({ id, username }) => ({ id, username })) };
});

/** @throws ApiError VALIDATION_ERROR that names every repetition */
function requireDistinct(usernames: readonly string[]): void {
  const seen = new Set<string>();
  const again = usernames.flatMap((username, i) => {
    const isAgain = seen.has(username);
    seen.add(username);
    return isAgain ? [{ path: ['sipAccounts', i, 'username'], message: `${username} is already in the list` }] : [];
  });
  if (again.length > 0) throw invalid(again);
}

const MAX_NAMED = 20;

function duplicates(found: readonly { readonly username: string; readonly i: number }[]): ApiError {
  const named = found.slice(0, MAX_NAMED).map((d) => d.username);
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : '';
  return new ApiError(
    'CONFLICT',
    `The registrar has ${named.join(', ')}${more} already; no account was created.`,
    found.map(({ username, i }) => ({ path: `sipAccounts[${i}].username`, message: `${username} is there already` })),
  );
}

type AccountIds = { readonly projectId: string; readonly registrarId: string; readonly sipAccountId: string };

async function locked(tx: Tx, { projectId, registrarId, sipAccountId }: AccountIds) {
  await heldRegistrar(tx, projectId, registrarId);
  const account = await byId(sipAccountId, () => lockSipAccount(tx, registrarId, sipAccountId));
  return known('SIP account', sipAccountId, account);
}

export const updateSipAccount = changing<'updateSipAccount'>(async (context, tx, input) => {
  const { projectId, registrarId, sipAccountId, ...changed } = input;
  const names = { projectId, registrarId, sipAccountId };
  const { id } = await locked(tx, names);
  requireMatch(context, null);
  const { username, password = null, ha1 = null } = changed;
  if (password !== null && ha1 !== null)
    throw invalid([{ path: ['ha1'], message: 'is set in addition to a password: an account has one of the two' }]);
  if (Object.values(changed).some((value) => value !== undefined)) {
    await update(tx, id, {
      ...changed,
      ...(ha1 !== null && { password: null }),
      ...(password !== null && { ha1: null }),
    }).catch(taken(`The registrar has an account ${username} already.`));
  }
  return view(known('SIP account', id, await findSipAccount(tx, names.registrarId, id)));
});

export const deleteSipAccount = changing<'deleteSipAccount'>(async (context, tx, names) => {
  const { id, username } = await locked(tx, names);
  requireMatch(context, null);
  requireUnused(`The SIP account ${username}`, await referrers(tx, names.projectId, 'sipAccount', id));
  await remove(tx, id);
  return { id, deleted: true };
});
