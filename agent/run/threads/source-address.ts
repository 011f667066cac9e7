/** Says in words whether an allocation may and can send from its source address. */
import { isIP } from 'node:net';
import { listenRefusal } from '../../policy/judge.ts';
import type { Policy } from '../../policy/policy.ts';

/** Null: the agent may listen on the address. */
export function sourceRefusal(source: string, isDrachtio: boolean, policy: Policy): string | null {
  if (isIP(source) === 0) return `the source address ${source} is not an IP address`;
  if (isDrachtio)
    return `the source address ${source} is set in the drachtio-server, not in the agent (CARILLON_DRACHTIO)`;
  const refusal = listenRefusal(policy, source, []);
  return refusal && `${refusal}, the source address of the registrar (listenAddresses of its policy)`;
}

/** Why the address could not be opened, and how to correct that. */
export function sourceFault(source: string, error: Error): string {
  return codeOf(error) === 'EADDRNOTAVAIL'
    ? `${source}, the source address of the registrar, is not an address of this host: give the host that address, or change the registrar`
    : `${source}, the source address of the registrar, cannot be listened on: ${error.message}`;
}

/** If this port is taken, another may be free; other errors apply to all ports. */
export function again<T>(error: Error, other: () => Promise<T>): Promise<T> {
  return codeOf(error) === 'EADDRINUSE' ? other() : Promise.reject(error);
}

const codeOf = (error: Error): string =>
  (error as NodeJS.ErrnoException).code ?? /\bE[A-Z]{4,}\b/.exec(error.message)?.[0] ?? '';
