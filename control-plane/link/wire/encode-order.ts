/** Encodes orders from plain data to the wire's terms. */
import { wire } from '@carillon/proto';
import type { Order } from '../../domain/run/orders/orders.ts';
import { toBytes } from './identifiers.ts';

type Command = wire.agent.v1.Command.$Properties;

const ROLES = { CALLER: wire.agent.v1.Role.CALLER, CALLEE: wire.agent.v1.Role.CALLEE };

/** @throws Error if a stored order has another type than declared */
export function encodeOrder(id: number, order: Order): Command {
  if (order.kind === 'changeKey') return { id, changeKey: {} };
  const runId = toBytes(order.runId);
  if (order.kind === 'allocate') {
    const { kind, runId: _, allocationId, role, group, endpoints, rtpTrace, load, ...times } = order;
    if (endpoints.accountPassword === undefined) throw new Error('its secrets cannot be read');
    return {
      id,
      [kind]: {
        ...times,
        runId,
        allocationId: toBytes(allocationId),
        role: ROLES[role],
        ...(rtpTrace && { rtpTrace: { endpoint: [...rtpTrace.endpoint], packets: rtpTrace.packets } }),
        ...(load && { load: { ...load, steps: [...load.steps] } }),
        // Orders that an older control plane stored lack newer fields; their absence has the same meaning on the wire.
        group: {
          ...group,
          tls: group.tls && { ...group.tls, key: group.tls.key.reveal() },
          audioCodecs: [...group.audioCodecs],
          videoCodecs: [...(group.videoCodecs ?? [])],
          actions: [...(group.actions ?? [])],
          headers: [...(group.headers ?? [])],
          gateways: [...(group.gateways ?? [])],
          toleratedFindings: [...(group.toleratedFindings ?? [])],
        },
        endpoints: {
          number: [...endpoints.number],
          listener: [...endpoints.listener],
          registerAtMs: [...endpoints.registerAtMs],
          callAtMs: [...endpoints.callAtMs],
          user: [...endpoints.user],
          accountUser: [...endpoints.accountUser],
          accountPassword: endpoints.accountPassword.map((password) => password.reveal()),
          targetUri: [...endpoints.targetUri],
          accountAuthName: [...(endpoints.accountAuthName ?? [])],
          accountHa1: (endpoints.accountHa1 ?? []).map((ha1) => ha1.reveal()),
          columns: (endpoints.columns ?? []).map(({ name, value }) => ({ name, value: [...value] })),
        },
      },
    };
  }
  const allocationIds = order.allocationIds.map(toBytes);
  if (order.kind === 'start') return { id, start: { runId, allocationIds, startUnixMs: order.startUnixMs } };
  if (order.kind === 'breakOff') {
    const { reason, untilUnixMs } = order;
    return { id, breakOff: { runId, allocationIds, reason, untilUnixMs } };
  }
  if (order.kind === 'changeLoad') return { id, changeLoad: { runId, allocationIds, steps: [...order.steps] } };
  if (order.kind === 'finish') return { id, finish: { runId, allocationIds } };
  return { id, stop: { runId, allocationIds, reason: order.reason } };
}
