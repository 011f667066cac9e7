/** SIP registrars: reading, creating, changing and deleting them. */
import type { Output } from '../../contract/catalogue.ts';
import { invalid } from '../../contract/errors.ts';
import { isName, type SipHost, sipHost } from '../../contract/sip-uri.ts';
import type { Tls } from '../../contract/test-settings/tls.ts';
import type { Protocol } from '../../contract/test-settings/words.ts';
import { gatewayFaults } from '../../domain/project/gateways.ts';
import { sourceFaults } from '../../domain/project/source-address.ts';
import { uriFaults } from '../../domain/project/test-draft.ts';
import { tlsFaults } from '../../domain/project/tls.ts';
import { webSocketFaults } from '../../domain/project/web-socket.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { referrers } from '../../store/project/references.ts';
import {
  countRegistrars,
  findRegistrar,
  insertRegistrar,
  listRegistrars as list,
  lockRegistrar,
  type RegistrarColumns,
  deleteRegistrar as remove,
  tlsOf,
  updateRegistrar as update,
} from '../../store/project/registrars.ts';
import { changing, conflict, creating, requireMatch, requireUnused } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { insertUnderSlug } from './slug.ts';

type Row = Omit<Awaited<ReturnType<typeof list>>[number], 'place'>;

const view = ({ tlsVerify, tlsCa, tlsCertificate, hasKey, ...r }: Row): Output<'getRegistrar'> => ({
  ...r,
  dns: !r.isCloud && isName(sipHost(r.uri) as SipHost),
  tls:
    tlsVerify === null ? null : { verify: tlsVerify as Tls['verify'], ca: tlsCa, certificate: tlsCertificate, hasKey },
  protocol: r.protocol as Protocol,
  createdAt: r.createdAt.toISOString(),
  updatedAt: r.updatedAt.toISOString(),
});

export const listRegistrars: Handler<'listRegistrars'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, sort } = input;
  const found = await listed(input, await countRegistrars(db, projectId), (w) => list(db, projectId, sort, w));
  return { ...found, rows: found.rows.map(view) };
};

const found = async (tx: Tx, projectId: string, id: string) =>
  view(known('registrar', id, await byId(id, () => findRegistrar(tx, projectId, id))));

export const getRegistrar: Handler<'getRegistrar'> = ({ ports }, { projectId, registrarId }) =>
  found(ports.database.db, projectId, registrarId);

/** @throws ApiError VALIDATION_ERROR */
function requireSound(r: RegistrarColumns, keepsKey = false): void {
  const faults = (['uri', 'outboundProxyUri'] as const).flatMap((key) => uriFaults(r[key], [key]));
  faults.push(...tlsFaults(r.tls, ['tls'], keepsKey), ...webSocketFaults(r, []));
  faults.push(...gatewayFaults(r, ['gateways']), ...sourceFaults(r, ['sourceAddress']));
  if (faults.length > 0) throw invalid(faults);
}

export const createRegistrar = creating('createRegistrar', async (_context, tx, { projectId, slug, ...columns }) => {
  requireSound(columns);
  const id = newId();
  const wanted = { table: 'registrars', ownerId: projectId, slug, name: columns.name, fallback: 'registrar' } as const;
  await insertUnderSlug(tx, wanted, (free) =>
    insertRegistrar(tx, { id, projectId, slug: free, isCloud: false, ...columns }),
  );
  return found(tx, projectId, id);
});

/** The built-in registrar is the same in all projects, so it cannot be changed here. */
async function lockOwn(tx: Tx, projectId: string, id: string) {
  const registrar = known('registrar', id, await byId(id, () => lockRegistrar(tx, projectId, id)));
  if (registrar.isCloud) throw conflict('The built-in registrar is part of every project; it stays as it is.');
  return registrar;
}

export const updateRegistrar = changing<'updateRegistrar'>(
  async (context, tx, { projectId, registrarId, ...change }) => {
    const before = await lockOwn(tx, projectId, registrarId);
    requireMatch(context, before.version);
    const after: RegistrarColumns = {
      name: change.name ?? before.name,
      uri: change.uri ?? before.uri,
      protocol: change.protocol ?? (before.protocol as Protocol),
      register: change.register ?? before.register,
      outboundProxyUri: change.outboundProxyUri === undefined ? before.outboundProxyUri : change.outboundProxyUri,
      webSocketPath: change.webSocketPath === undefined ? before.webSocketPath : change.webSocketPath,
      domain: change.domain === undefined ? before.domain : change.domain,
      gateways: change.gateways ?? before.gateways,
      sourceAddress: change.sourceAddress === undefined ? before.sourceAddress : change.sourceAddress,
      tls: change.tls === undefined ? tlsOf(before) : change.tls,
    };
    // A key is never returned, so it cannot be sent back: without a new key, the existing key of the same certificate stays.
    requireSound(after, before.hasKey && after.tls?.certificate === before.tlsCertificate);
    await update(tx, registrarId, after);
    return found(tx, projectId, registrarId);
  },
);

export const deleteRegistrar = changing<'deleteRegistrar'>(async (context, tx, { projectId, registrarId }) => {
  const registrar = await lockOwn(tx, projectId, registrarId);
  requireMatch(context, registrar.version);
  requireUnused(`The registrar ${registrar.name}`, await referrers(tx, projectId, 'registrar', registrarId));
  await remove(tx, registrarId);
  return { id: registrarId, deleted: true };
});
