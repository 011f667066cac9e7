/**
 * The organizations of an installation, for its owner. What the owner does is in the audit log of the organization
 * concerned as well. Nobody becomes a member by this: the owner invites only where nobody is a member yet.
 */
import type { Output } from '../../../contract/catalogue.ts';
import { minutes } from '../../../domain/plans.ts';
import { slugOf } from '../../../domain/project/slug.ts';
import { invite } from '../../../operations/people/members.ts';
import { changing, conflict, taken } from '../../../operations/request/change.ts';
import { byId, type Context, type Handler, known } from '../../../operations/request/perform.ts';
import type { Tx } from '../../../store/db.ts';
import { newId } from '../../../store/new-id.ts';
import { insertAuditEntry } from '../../../store/people/audit.ts';
import { lockOrganization } from '../../../store/people/gone-organizations.ts';
import { deleteInvitations } from '../../../store/people/invitations.ts';
import { allOrganizations, countMembers, userById } from '../../../store/people/members.ts';
import { monthOf } from '../contract/months.ts';
import { customerRows, customerTotals, insertCustomer, setPlan } from '../store/customers.ts';

type Row = Awaited<ReturnType<typeof customerRows>>[number];

const view = (
  { ports, actor }: Context,
  { endpointSeconds, createdAt, lastRunAt, ...row }: Row,
): Output<'listCustomers'> => ({
  ...row,
  isOwn: row.id === actor.organizationId,
  createdAt: createdAt.toISOString(),
  lastRunAt: lastRunAt?.toISOString() ?? null,
  endpointMinutes: minutes(endpointSeconds),
  endpointMinutesPerMonth: ports.settings.plans[row.plan].endpointMinutesPerMonth,
});

export const listCustomers: Handler<'listCustomers'> = async (context, { page, per_page, month }) => {
  const { ports } = context;
  const at = ports.now();
  const shown = { at, month: month ?? monthOf(at), limit: per_page, offset: (page - 1) * per_page };
  const rows = await customerRows(ports.database.db, null, shown);
  return { rows: rows.map((row) => view(context, row)), total: (await allOrganizations(ports.database.db)).length };
};

export const getCustomerTotals: Handler<'getCustomerTotals'> = async ({ ports }, { month }) => {
  const { endpointSeconds, ...totals } = await customerTotals(ports.database.db, month ?? monthOf(ports.now()));
  return { ...totals, endpointMinutes: minutes(endpointSeconds) };
};

export const createCustomer = changing<'createCustomer'>(async (context, tx, { name, plan, email }) => {
  const id = newId();
  const slug = slugOf(name, 'organization');
  await insertCustomer(tx, { id, slug, name, plan }).catch(
    taken(`Another organization of this installation has the slug ${slug}; choose another name.`),
  );
  const invitation = await invite(context, tx, { organizationId: id, email, role: 'OWNER', projectIds: null });
  await note(context, tx, id, 'createCustomer', { name, email });
  return { id, name, invitation };
});

export const updateCustomer = changing<'updateCustomer'>(async (context, tx, { customerId, plan }) => {
  known(
    'organization',
    customerId,
    await byId(customerId, async () => (await setPlan(tx, customerId, plan)) || undefined),
  );
  const at = context.ports.now();
  const [row] = await customerRows(tx, customerId, { at, month: monthOf(at), limit: 1, offset: 0 });
  await note(context, tx, customerId, 'updateCustomer', { plan });
  return view(context, known('organization', customerId, row));
});

/**
 * The lock lets nobody become a member meanwhile. Earlier invitations end: a mistyped address must not become a second
 * OWNER. They are deleted before the lock, in the order in which an acceptance takes both.
 */
export const inviteCustomerOwner = changing<'inviteCustomerOwner'>(async (context, tx, { customerId, email }) => {
  const found = await byId(customerId, async () => {
    await deleteInvitations(tx, customerId);
    return lockOrganization(tx, customerId);
  });
  const { name } = known('organization', customerId, found);
  if ((await countMembers(tx, customerId)) > 0)
    throw conflict(`${name} has people, who invite others. Ask one of its OWNERs.`);
  const invitation = await invite(context, tx, { organizationId: customerId, email, role: 'OWNER', projectIds: null });
  await note(context, tx, customerId, 'inviteCustomerOwner', { email });
  return { id: customerId, name, invitation };
});

/** In the audit log of another organization: the name of the person, without an address. */
async function note(
  { ports, actor }: Context,
  tx: Tx,
  organizationId: string,
  action: string,
  target: Readonly<Record<string, string>>,
): Promise<void> {
  // Every request is in the log of the actor's organization already.
  if (organizationId === actor.organizationId) return;
  const person = await userById(tx, actor.userId);
  const who = { userId: null, actor: `${person?.name ?? ''} (${actor.organizationName})`, via: actor.by, address: '' };
  await insertAuditEntry(tx, { organizationId, ...who, action, target, at: ports.now() });
}
