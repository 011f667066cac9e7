/**
 * A registrar that creates two calls from each, as PBXs do: the callee's INVITE has a new Call-ID, tags, Via, Contact and From,
 * and of the caller's only the number, if it is shown. It records which two were one. Written separately: it shares no code
 * with what it tests.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { CalledLeg, CallingLeg, type LegWire } from './b2bua/leg.ts';
import { type MediaRelay, openRelay, type RelayTerms, type UdpAddress } from './b2bua/media-relay.ts';
import { header, methodOf, readSip, repeated, type SipText, statusOf, uriIn, writeSip } from './behaving/sip-text.ts';

export type B2buaRoute = {
  /** Accounts that ring at the same time; the first to answer gets the call. */
  readonly rings: readonly string[];
  /** Absent: the caller's own number. */
  readonly shows?: string;
  /** It refuses the call by itself. */
  readonly refuses?: number;
  /** Absent: the ends send to each other. */
  readonly relay?: RelayTerms;
};

export type RelayedCall = { readonly callerCallId: string; readonly calleeCallId: string; readonly account: string };

export type B2bua = {
  readonly uri: string;
  readonly address: string;
  readonly port: number;
  /** Both legs of calls that were answered. */
  readonly answered: readonly RelayedCall[];
  close(): void;
};

type Bridge = {
  readonly near: CalledLeg;
  readonly far: CallingLeg[];
  readonly relay: MediaRelay | null;
  readonly terms: RelayTerms | undefined;
  up: CallingLeg | null;
  isOver: boolean;
};

const userOf = (uri: string): string => /^sips?:([^@;]*)@/.exec(uri)?.[1] ?? '';
const NAMES: Readonly<Record<number, string>> = { 0: 'PCMU', 8: 'PCMA' };

/** `route`: by the called number and the number of the caller's attempts so far. */
export async function startB2bua(
  address: string,
  route: (called: string, attempt: number) => B2buaRoute,
): Promise<B2bua> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, sendBufferSize: 1 << 20 });
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  let isClosed = false;
  const wire: LegWire = {
    address,
    port,
    send: (text, to) => {
      if (!isClosed) socket.send(text, to.port, to.address);
    },
  };
  const contacts = new Map<string, { readonly uri: string; readonly at: UdpAddress }>();
  const bridges = new Map<string, Bridge>();
  const attempts = new Map<string, number>();
  const answered: RelayedCall[] = [];

  function register(request: SipText, at: UdpAddress): void {
    const account = userOf(uriIn(header(request, 'to')));
    const isLeaving = /expires=0\b/.test(header(request, 'contact')) || header(request, 'expires') === '0';
    if (isLeaving) contacts.delete(account);
    else contacts.set(account, { uri: uriIn(header(request, 'contact')), at });
    const binding = isLeaving ? [] : [['Contact', `<${uriIn(header(request, 'contact'))}>;expires=3600`] as const];
    wire.send(writeSip('SIP/2.0 200 OK', [...repeated(request, 'r'), ...binding]), at);
  }

  async function begin(invite: SipText, at: UdpAddress): Promise<void> {
    const near = new CalledLeg(wire, invite, at);
    const called = userOf(invite.start.split(' ')[1] ?? '');
    const caller = userOf(uriIn(header(invite, 'from')));
    const attempt = attempts.get(caller) ?? 0;
    attempts.set(caller, attempt + 1);
    const { rings, shows = caller, refuses, relay: terms } = route(called, attempt);
    const found = rings.flatMap((account) => {
      const contact = contacts.get(account);
      return contact ? [new CallingLeg(wire, account, contact.uri, contact.at, shows)] : [];
    });
    const bridge: Bridge = { near, far: found, relay: null, terms, up: null, isOver: false };
    bridges.set(near.callId, bridge);
    near.respond(invite, 100, 'Trying');
    if (refuses !== undefined || found.length === 0) {
      bridge.isOver = true;
      near.respond(invite, refuses ?? 404, 'Refused');
      return;
    }
    const relay = terms ? await openRelay(address, terms) : null;
    Object.assign(bridge, { relay });
    if (relay) relay.caller = placeIn(invite.body);
    const offer = relay ? described(invite.body, relay.calleePort, terms?.transcodes) : invite.body;
    for (const leg of found) {
      bridges.set(leg.callId, bridge);
      leg.invite(offer);
    }
  }

  const placeIn = (sdp: string): UdpAddress | null => {
    const host = /^c=IN IP4 (\S+)/m.exec(sdp)?.[1];
    const audio = /^m=audio (\d+)/m.exec(sdp)?.[1];
    return host === undefined || audio === undefined ? null : { address: host, port: Number(audio) };
  };

  /** Media pass through here, and one of the two codecs replaces the other. */
  function described(sdp: string, at: number, swap: RelayTerms['transcodes'], isBack = false): string {
    const moved = sdp
      .replace(/^c=IN IP4 \S+/gm, `c=IN IP4 ${address}`)
      .replace(/^m=audio \d+/m, `m=audio ${at}`)
      .replace(/^a=rtcp:.*\r\n/gm, '');
    if (!swap) return moved;
    const [from, to] = isBack ? [swap.callee, swap.caller] : [swap.caller, swap.callee];
    return moved
      .replace(/^(m=audio \d+ \S+ )(.*)$/m, (_, head, types) => head + types.replace(new RegExp(`\\b${from}\\b`), to))
      .replace(new RegExp(`^a=rtpmap:${from} ${NAMES[from]}/`, 'm'), `a=rtpmap:${to} ${NAMES[to]}/`);
  }

  function end(bridge: Bridge): void {
    bridge.isOver = true;
    bridge.relay?.close();
  }

  function heardFromFar(response: SipText, leg: CallingLeg, bridge: Bridge): void {
    const status = statusOf(response);
    if (status < 200) {
      if (status > 100 && !bridge.isOver) bridge.near.respond(bridge.near.invite, 180, 'Ringing');
      return;
    }
    leg.acknowledge(response, status < 300);
    if (status < 300 && bridge.up === null && !bridge.isOver) {
      bridge.up = leg;
      for (const other of bridge.far) if (other !== leg) other.cancel();
      const { relay, near, terms } = bridge;
      if (relay) relay.callee = placeIn(response.body);
      const answer = relay ? described(response.body, relay.callerPort, terms?.transcodes, true) : response.body;
      answered.push({ callerCallId: near.callId, calleeCallId: leg.callId, account: leg.account });
      near.respond(near.invite, 200, 'OK', answer);
    } else if (status < 300 && bridge.up !== leg) leg.bye();
    else if (status >= 300) {
      bridge.far.splice(bridge.far.indexOf(leg), 1);
      if (bridge.far.length > 0 || bridge.up !== null || bridge.isOver) return;
      end(bridge);
      bridge.near.respond(bridge.near.invite, status, 'Refused');
    }
  }

  function heardFromNear(request: SipText, bridge: Bridge): void {
    const { near, far, up } = bridge;
    const method = methodOf(request);
    if (method === 'INVITE') near.again();
    if (method === 'ACK' || method === 'INVITE') return;
    near.respond(request, 200, 'OK');
    if (bridge.isOver) return;
    if (method === 'BYE') {
      end(bridge);
      up?.bye();
    } else if (method === 'CANCEL' && up === null) {
      end(bridge);
      near.respond(near.invite, 487, 'Request Terminated');
      for (const leg of far) leg.cancel();
    }
  }

  socket.on('message', (bytes, from) => {
    const message = readSip(bytes.toString());
    if (!message) return;
    const method = methodOf(message);
    const bridge = bridges.get(header(message, 'call-id'));
    const at = { address: from.address, port: from.port };
    if (method === 'REGISTER') register(message, at);
    else if (bridge === undefined) {
      if (method === 'INVITE') void begin(message, at);
      else if (method !== '' && method !== 'ACK')
        wire.send(writeSip('SIP/2.0 481 Unknown', repeated(message, 'n')), at);
    } else if (bridge.near.callId === header(message, 'call-id')) {
      if (method !== '') heardFromNear(message, bridge);
    } else {
      const leg = [...bridge.far, bridge.up].find((one) => one?.callId === header(message, 'call-id'));
      if (!leg) return;
      if (method === '' && /INVITE$/.test(header(message, 'cseq'))) heardFromFar(message, leg, bridge);
      else if (method !== '') {
        leg.answer(message, 200, 'OK');
        if (method !== 'BYE' || bridge.isOver) return;
        end(bridge);
        bridge.near.bye();
      }
    }
  });

  return {
    address,
    port,
    uri: `sip:${address}:${port}`,
    answered,
    close() {
      isClosed = true;
      for (const bridge of new Set(bridges.values())) bridge.relay?.close();
      socket.close();
    },
  };
}
