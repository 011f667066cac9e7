/** Where this agent listens, against what its owner allows. */
import type { Config } from '../config.ts';
import { listenRefusal } from './judge.ts';
import type { Policy } from './policy.ts';

/** Null: it may listen as it is configured. */
export function listenFault({ sipAddress, sipPort, sipTls, rtpPorts, signallingThreads }: Config, policy: Policy) {
  const sip = [sipPort, sipTls.port].map((port) => ({ from: port, to: port === 0 ? 0 : port + signallingThreads - 1 }));
  const refused = listenRefusal(policy, sipAddress, [...sip, rtpPorts]);
  return refused === null
    ? null
    : `${refused} (CARILLON_SIP_ADDRESS, CARILLON_SIP_PORT, CARILLON_SIP_TLS_PORT, CARILLON_RTP_PORTS)`;
}
