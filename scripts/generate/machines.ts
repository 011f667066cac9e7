/**
 * Every state machine of the product, in the order of docs/machines.md. A test checks their laws, and that no machine is missing
 * here.
 */
import type { Holder, Machine, Transitions } from '@carillon/proto/base/machine.ts';
import { HEP } from '../../agent/capture/hep-machine.ts';
import { LINK } from '../../agent/link/link-machine.ts';
import { ICE, PAIR } from '../../agent/rtp/ice/ice-tables.ts';
import { ALLOCATION } from '../../agent/run/allocation/allocation-machine.ts';
import { ISOLATION } from '../../agent/run/allocation/isolation.ts';
import { SHARE } from '../../agent/run/allocation/share-machine.ts';
import { BINDING } from '../../agent/run/endpoint/account/binding.ts';
import { ENDPOINT } from '../../agent/run/endpoint/core/endpoint-machine.ts';
import { NEXT_CALL } from '../../agent/run/endpoint/transfer/next-call-machine.ts';
import { TRANSFER } from '../../agent/run/endpoint/transfer/transfer-machine.ts';
import { INCOMING_CALL, OUTGOING_CALL } from '../../agent/sip/dialog/call-tables.ts';
import { RELIABLE_RESPONSES } from '../../agent/sip/dialog/reliable-responses.ts';
import { REFERRAL, REFERRED, SESSION_CHANGE, SESSION_TIMER } from '../../agent/sip/dialog/within/within-tables.ts';
import { REGISTRATION } from '../../agent/sip/registration/registration-table.ts';
import {
  INVITE_CLIENT,
  INVITE_SERVER,
  NON_INVITE_CLIENT,
  NON_INVITE_SERVER,
} from '../../agent/sip/transaction/tables.ts';
import { CONNECTION } from '../../agent/sip/transport/connection-table.ts';
import { INCIDENT } from '../../control-plane/domain/probe/incident-machine.ts';
import { ACTIVITY, HEALTH } from '../../control-plane/domain/probe/probe-machine.ts';
import { INSTANCE } from '../../control-plane/domain/run/instance-machine.ts';
import { RUN } from '../../control-plane/domain/run/run-machine.ts';
import { WORKER } from '../../control-plane/domain/worker-machine.ts';
import { FEATURE_MACHINES } from '../../control-plane/feature-sums/server.ts';
import { SESSION } from '../../control-plane/link/session-machine.ts';

export type ListedMachine = {
  /** The name of the table in its file. */
  readonly name: string;
  readonly title: string;
  /** The path from the root of the repository. */
  readonly file: string;
  readonly says: string;
  readonly initial: string;
  /** Empty: the machine lasts as long as its object exists. */
  readonly finals: readonly string[];
  readonly transitions: Transitions<string, string>;
  readonly heldBy: Readonly<Record<string, Holder>>;
};

type Words = Pick<ListedMachine, 'name' | 'title' | 'file' | 'says'>;

const machine = <S extends string, E extends string>(words: Words, of: Machine<S, E>): ListedMachine => ({
  ...words,
  transitions: of.transitions,
  initial: of.initial,
  finals: of.finals,
  heldBy: of.heldBy,
});

const words = (name: string, title: string, file: string, says: string): Words => ({ name, title, file, says });

const DOMAIN = 'control-plane/domain';
const SIP = 'agent/sip';

export const MACHINES: Readonly<Record<'Control plane' | 'Agent' | 'SIP', readonly ListedMachine[]>> = {
  'Control plane': [
    machine(
      words('RUN', 'Run', `${DOMAIN}/run/run-machine.ts`, 'A run of a load test, or an execution of a probe.'),
      RUN,
    ),
    machine(
      words('INSTANCE', 'Instance', `${DOMAIN}/run/instance-machine.ts`, "One worker's part of one sub-population."),
      INSTANCE,
    ),
    machine(words('WORKER', 'Worker', `${DOMAIN}/worker-machine.ts`, 'An agent as the control plane sees it.'), WORKER),
    machine(
      words(
        'SESSION',
        'Session',
        'control-plane/link/session-machine.ts',
        "One agent's connection, at the control plane.",
      ),
      SESSION,
    ),
    machine(
      words('HEALTH', 'Probe: health', `${DOMAIN}/probe/probe-machine.ts`, 'What the last graded execution says.'),
      HEALTH,
    ),
    machine(
      words('ACTIVITY', 'Probe: activity', `${DOMAIN}/probe/probe-machine.ts`, 'Whether a probe is executed.'),
      ACTIVITY,
    ),
    machine(
      words(
        'INCIDENT',
        'Incident',
        `${DOMAIN}/probe/incident-machine.ts`,
        'When an incident begins, worsens and ends.',
      ),
      INCIDENT,
    ),
    ...FEATURE_MACHINES.flat().map(({ of, ...words }) => machine(words, of)),
  ],
  Agent: [
    machine(words('LINK', 'Link', 'agent/link/link-machine.ts', 'The connection to the control plane.'), LINK),
    machine(
      words(
        'ALLOCATION',
        'Allocation',
        'agent/run/allocation/allocation-machine.ts',
        "An allocation in the agent's book, over all its threads.",
      ),
      ALLOCATION,
    ),
    machine(
      words('SHARE', 'Share', 'agent/run/allocation/share-machine.ts', "One thread's share of an allocation."),
      SHARE,
    ),
    machine(
      words(
        'ENDPOINT',
        'Endpoint',
        'agent/run/endpoint/core/endpoint-machine.ts',
        'The phases of a simulated user agent.',
      ),
      ENDPOINT,
    ),
    machine(
      words(
        'BINDING',
        'Binding',
        'agent/run/endpoint/account/binding.ts',
        "An endpoint's binding at its registrar, as the endpoint needs it.",
      ),
      BINDING,
    ),
    machine(
      words(
        'NEXT_CALL',
        'Next call',
        'agent/run/endpoint/transfer/next-call-machine.ts',
        'A call that takes the place of the one before: by REFER, or by Replaces.',
      ),
      NEXT_CALL,
    ),
    machine(
      words(
        'TRANSFER',
        'Attended transfer',
        'agent/run/endpoint/transfer/transfer-machine.ts',
        'An attended transfer, as its transferor: RFC 5589, 7.',
      ),
      TRANSFER,
    ),
    machine(
      words('ISOLATION', 'Isolation', 'agent/run/allocation/isolation.ts', 'An agent without a control plane.'),
      ISOLATION,
    ),
    machine(words('HEP', 'HEP export', 'agent/capture/hep-machine.ts', 'The way to the HEP collector.'), HEP),
  ],
  SIP: [
    machine(
      words(
        'INVITE_CLIENT',
        'INVITE client transaction',
        `${SIP}/transaction/tables.ts`,
        'RFC 3261, 17.1.1; RFC 6026.',
      ),
      INVITE_CLIENT,
    ),
    machine(
      words('NON_INVITE_CLIENT', 'Non-INVITE client transaction', `${SIP}/transaction/tables.ts`, 'RFC 3261, 17.1.2.'),
      NON_INVITE_CLIENT,
    ),
    machine(
      words(
        'INVITE_SERVER',
        'INVITE server transaction',
        `${SIP}/transaction/tables.ts`,
        'RFC 3261, 17.2.1; RFC 6026.',
      ),
      INVITE_SERVER,
    ),
    machine(
      words('NON_INVITE_SERVER', 'Non-INVITE server transaction', `${SIP}/transaction/tables.ts`, 'RFC 3261, 17.2.2.'),
      NON_INVITE_SERVER,
    ),
    machine(
      words(
        'OUTGOING_CALL',
        'Outgoing call',
        `${SIP}/dialog/call-tables.ts`,
        'The caller: RFC 3261, 13.2, 9.1, 15.1.1.',
      ),
      OUTGOING_CALL,
    ),
    machine(
      words(
        'INCOMING_CALL',
        'Incoming call',
        `${SIP}/dialog/call-tables.ts`,
        'The callee: RFC 3261, 13.3, 9.2, 15.1.2.',
      ),
      INCOMING_CALL,
    ),
    machine(
      words(
        'RELIABLE_RESPONSES',
        'Reliable provisional responses',
        `${SIP}/dialog/reliable-responses.ts`,
        'Ours to an INVITE: RFC 3262, 3.',
      ),
      RELIABLE_RESPONSES,
    ),
    machine(
      words(
        'SESSION_CHANGE',
        'Session change',
        `${SIP}/dialog/within/within-tables.ts`,
        'Our re-INVITE or UPDATE: RFC 3261, 14.1; RFC 3311.',
      ),
      SESSION_CHANGE,
    ),
    machine(
      words('SESSION_TIMER', 'Session timer', `${SIP}/dialog/within/within-tables.ts`, 'RFC 4028, 7.2, 10.'),
      SESSION_TIMER,
    ),
    machine(
      words(
        'REFERRAL',
        'Referral',
        `${SIP}/dialog/within/within-tables.ts`,
        'Our REFER and its subscription: RFC 3515, 2.4.4.',
      ),
      REFERRAL,
    ),
    machine(
      words(
        'REFERRED',
        'Referral by the peer',
        `${SIP}/dialog/within/within-tables.ts`,
        'A REFER that we took: RFC 3515, 2.4.4.',
      ),
      REFERRED,
    ),
    machine(
      words(
        'REGISTRATION',
        'Registration',
        `${SIP}/registration/registration-table.ts`,
        'A binding at a registrar: RFC 3261, 10.2.',
      ),
      REGISTRATION,
    ),
    machine(
      words(
        'ICE',
        'ICE',
        'agent/rtp/ice/ice-tables.ts',
        'The way of a stream to its far end: RFC 8445; consent: RFC 7675.',
      ),
      ICE,
    ),
    machine(
      words(
        'PAIR',
        'Candidate pair',
        'agent/rtp/ice/ice-tables.ts',
        'One of the ways that ICE tries: RFC 8445, 6.1.2.6.',
      ),
      PAIR,
    ),
    machine(
      words('CONNECTION', 'Connection', `${SIP}/transport/connection-table.ts`, 'RFC 3261, 18; RFC 5626, 4.4.1.'),
      CONNECTION,
    ),
  ],
};
