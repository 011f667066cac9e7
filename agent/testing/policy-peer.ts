/** A scripted SIP peer on one UDP socket: each of its users answers and calls as its script says. Real datagrams, no engine. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { bodyOf, headerOf, headersOf } from './sip/virtual.ts';

export type Sdp = {
  readonly address?: string;
  readonly audio?: string;
  readonly video?: string;
  readonly rtcp?: string;
};
type Part = {
  readonly status?: number;
  readonly contact?: string;
  readonly lines?: readonly string[];
  readonly sdp?: Sdp;
};
export type Script = {
  /** After 100 Trying: the provisional response, if there is one, then the final one; the default is 200. */
  readonly early?: Part;
  readonly final?: Part;
  /** A request of ours after the call is established. */
  readonly next?: Part & { readonly method: string };
  readonly registrar?: Part;
  /** Replaces the parameters of our Via in responses. */
  readonly via?: string;
  /** We call. `via`: sent-by and parameters. */
  readonly calls?: Part & { readonly via?: string };
  /** RTP comes from another address than the SDP's. */
  readonly rtpFrom?: string;
  /** A name that resolves to another address after the peer has registered. */
  readonly moves?: string;
};

export async function openPolicyPeer(address: string) {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  const scripts = new Map<string, Script>();
  const answered = new Set<string>();
  const senders = new Set<NodeJS.Timeout>();
  const dialogs = new Map<
    string,
    { readonly script: Script; readonly user: string; up: boolean; readonly ours: boolean }
  >();
  let tags = 0;

  const sdpOf = ({ address: session = address, audio, video, rtcp }: Sdp, offer: string): string => {
    const media = (kind: string, of: string, own: string | undefined, codec: string): string =>
      [
        `m=${kind} ${port % 2 === 0 ? 40_000 : 40_002} RTP/AVP ${of}`,
        ...(own === undefined ? [] : [`c=IN IP4 ${own}`]),
        ...(rtcp === undefined ? [] : [`a=rtcp:40001 IN IP4 ${rtcp}`]),
        `a=rtpmap:${of} ${codec}`,
      ].join('\r\n');
    const videoType = /^m=video \d+ \S+ (\d+)/m.exec(offer)?.[1];
    return [
      'v=0',
      `o=- 1 ${++tags} IN IP4 ${session}`,
      's=-',
      `c=IN IP4 ${session}`,
      't=0 0',
      media('audio', '0', audio, 'PCMU/8000'),
      ...(videoType === undefined ? [] : [media('video', videoType, video, 'VP8/90000')]),
      '',
    ].join('\r\n');
  };

  const send = (text: string, to: Pick<RemoteInfo, 'address' | 'port'>): void =>
    void socket.send(text, to.port, to.address);
  const message = (start: string, lines: readonly string[], body: string): string =>
    [
      start,
      ...lines,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  const copied = (request: string, names: readonly string[]): string[] =>
    names.flatMap((name) => headersOf(request, name).map((value) => `${name}: ${value}`));

  function respond(request: string, from: RemoteInfo, tag: string, script: Script, part: Part): void {
    const { status = 200, contact = `sip:peer@${address}:${port}`, lines = [], sdp } = part;
    const isInvite = /^INVITE /.test(request);
    const described = isInvite && (sdp !== undefined || (status >= 200 && status < 300));
    const vias = headersOf(request, 'Via').map((via) => `Via: ${via.replace(';rport', script.via ?? ';rport')}`);
    const to = headerOf(request, 'To');
    const hasContact = lines.some((line) => line.startsWith('Contact:'));
    send(
      message(
        `SIP/2.0 ${status} Told`,
        [
          ...vias,
          ...copied(request, ['From', 'Call-ID', 'CSeq']),
          `To: ${to.includes(';tag=') || status === 100 ? to : `${to};tag=${tag}`}`,
          ...(hasContact || /^REGISTER /.test(request) || status === 100 ? [] : [`Contact: <${contact}>`]),
          ...lines,
        ],
        described ? sdpOf(sdp ?? {}, bodyOf(request)) : '',
      ),
      from,
    );
  }

  const peer = {
    port,
    scripts,
    /** Users whose call got a final response. */
    answered: answered as ReadonlySet<string>,
    onMove: (_name: string): void => undefined,
    call(target: string, user: string, script: Script): void {
      const { contact = `sip:peer@${address}:${port}`, lines = [], sdp = {}, via } = script.calls ?? {};
      const callId = `call-${user}@${address}`;
      dialogs.set(callId, { script, user, up: false, ours: true });
      const where = /@([^:]+):(\d+)/.exec(target);
      const head = [
        `Via: SIP/2.0/UDP ${via ?? `${address}:${port}`};branch=z9hG4bK${user}`,
        'Max-Forwards: 70',
        `From: <sip:peer@${address}>;tag=p${user}`,
        `To: <${target}>`,
        `Call-ID: ${callId}`,
        'CSeq: 1 INVITE',
        `Contact: <${contact}>`,
        ...lines,
      ];
      send(message(`INVITE ${target} SIP/2.0`, head, sdpOf(sdp, '')), {
        address: where?.[1] ?? '',
        port: Number(where?.[2]),
      });
    },
    close(): void {
      for (const sender of senders) clearInterval(sender);
      socket.close();
    },
  };

  function onResponse(text: string, from: RemoteInfo): void {
    const dialog = dialogs.get(headerOf(text, 'Call-ID'));
    const [number = '', method = ''] = headerOf(text, 'CSeq').split(' ');
    const status = Number(/^SIP\/2.0 (\d+)/.exec(text)?.[1]);
    if (method !== 'INVITE' || status < 200 || dialog === undefined) return;
    answered.add(dialog.user);
    const uri = /<([^>]+)>/.exec(headerOf(text, 'Contact'))?.[1] ?? `sip:${from.address}:${from.port}`;
    const head = [
      `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bKack${++tags}`,
      'Max-Forwards: 70',
      ...copied(text, ['From', 'To', 'Call-ID']),
      `CSeq: ${number} ACK`,
    ];
    send(message(`ACK ${uri} SIP/2.0`, head, ''), from);
  }

  function goOn(request: string, from: RemoteInfo): void {
    const dialog = dialogs.get(headerOf(request, 'Call-ID'));
    if (dialog === undefined || dialog.up) return;
    dialog.up = true;
    const { next, rtpFrom } = dialog.script;
    const remote = dialog as { rtp?: number };
    if (rtpFrom !== undefined && remote.rtp !== undefined) streamFrom(rtpFrom, from.address, remote.rtp);
    if (next === undefined) return;
    const { method, contact = `sip:peer@${address}:${port}`, lines = [], sdp } = next;
    const swap = (name: string, of: string): string => `${name}: ${headerOf(request, of)}`;
    const head = [
      `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bKthen${++tags}`,
      'Max-Forwards: 70',
      swap('From', 'To'),
      swap('To', 'From'),
      swap('Call-ID', 'Call-ID'),
      `CSeq: 1 ${method}`,
      `Contact: <${contact}>`,
      ...lines,
    ];
    const target = `sip:${dialog.user}@${from.address}:${from.port}`;
    send(message(`${method} ${target} SIP/2.0`, head, sdp === undefined ? '' : sdpOf(sdp, '')), from);
  }

  /** RTP, PCMU, 50 packets a second. */
  function streamFrom(source: string, to: string, toPort: number): void {
    const rtp = createSocket('udp4');
    rtp.bind(0, source, () => {
      let sequence = 0;
      const timer = setInterval(() => {
        const packet = Buffer.alloc(172, 0xff);
        packet.set([0x80, 0, sequence >> 8, sequence & 0xff]);
        packet.writeUInt32BE(160 * sequence++, 4);
        packet.writeUInt32BE(0xfeed, 8);
        rtp.send(packet, toPort, to);
        if (sequence < 40) return;
        clearInterval(timer);
        rtp.close();
      }, 20);
      senders.add(timer);
    });
  }

  socket.on('message', (bytes, from) => {
    const text = bytes.toString('latin1');
    if (text.startsWith('SIP/2.0')) {
      onResponse(text, from);
      return;
    }
    const method = text.slice(0, text.indexOf(' '));
    const user = /^\S+ sips?:([^@:;\s]*)@/.exec(text)?.[1] ?? '';
    const callId = headerOf(text, 'Call-ID');
    if (method === 'ACK') goOn(text, from);
    else if (method === 'INVITE' && !/;tag=/.test(headerOf(text, 'To'))) {
      const script = scripts.get(user) ?? {};
      const tag = `t${++tags}`;
      if (dialogs.has(callId)) return;
      const rtp = Number(/^m=audio (\d+)/m.exec(text)?.[1]);
      dialogs.set(callId, Object.assign({ script, user, up: false, ours: false }, { rtp }));
      respond(text, from, tag, script, { status: 100 });
      if (script.early) respond(text, from, tag, script, script.early);
      setTimeout(() => respond(text, from, tag, script, script.final ?? {}), script.early ? 300 : 50);
    } else if (method === 'REGISTER') {
      const who = /sip:([^@]+)@/.exec(headerOf(text, 'To'))?.[1] ?? '';
      const script = scripts.get(who) ?? {};
      if (script.moves !== undefined) peer.onMove(script.moves);
      const granted = `Contact: ${headerOf(text, 'Contact')};expires=3600`;
      const { status = 200, lines = [] } = script.registrar ?? {};
      respond(text, from, `t${++tags}`, script, { status, lines: status === 200 ? [granted, ...lines] : lines });
    } else respond(text, from, `t${++tags}`, dialogs.get(callId)?.script ?? {}, {});
  });
  return peer;
}
