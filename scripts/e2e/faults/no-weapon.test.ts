/**
 * What an agent sends to a peer that sends only one message: packets and bytes on the wire, counted at the address that an
 * INVITE names. It may be a victim's address: until it acknowledges, nothing proves that it sent the request.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import t from 'tap';
import { PACKETS_BEFORE_CONSENT } from '../../../agent/rtp/send/consent.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { receives } from '../../peers/lab/provision.ts';
import { until } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';

const PACKET_MS = 20;
const PACKETS = 100;

const lab = await openLab(t, {
  provision: () => ({
    tests: [
      receives('answered', { endpoints: 2, durationSeconds: 60 }),
      receives('early', {
        endpoints: 1,
        durationSeconds: 60,
        media: { signalling: { provisional: 183, ringSeconds: 4 } },
      }),
    ],
  }),
});
const target = { address: lab.net.address(11), port: lab.agents[0]?.sipPort as number };

type Datagram = { readonly bytes: Buffer; readonly atMs: number };

/** A far end with two sockets; every datagram is stored. */
class FarEnd {
  readonly #address: string;
  readonly #sip: Socket;
  readonly #rtp: Socket;
  readonly sip: Datagram[] = [];
  readonly rtp: Datagram[] = [];
  sentBytes = 0;

  private constructor(address: string, sip: Socket, rtp: Socket) {
    this.#address = address;
    this.#sip = sip;
    this.#rtp = rtp;
    sip.on('message', (bytes) => this.sip.push({ bytes, atMs: performance.now() }));
    rtp.on('message', (bytes) => this.rtp.push({ bytes, atMs: performance.now() }));
  }

  static async open(address: string): Promise<FarEnd> {
    const [sip, rtp] = [createSocket('udp4'), createSocket('udp4')];
    for (const socket of [sip, rtp]) {
      socket.bind(0, address);
      await once(socket, 'listening');
    }
    return new FarEnd(address, sip, rtp);
  }

  request(method: string, user: string, more: { to?: string; body?: string; cseq?: number } = {}): string {
    const { to = '', body = '', cseq = 1 } = more;
    const uri = `sip:${user}${target.address}:${target.port}`;
    const here = `${this.#address}:${this.#sip.address().port}`;
    return [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP ${here};branch=z9hG4bK-${method}-${here}`,
      'Max-Forwards: 70',
      `From: <sip:${here}>;tag=1`,
      to === '' ? `To: <${uri}>` : to,
      `Call-ID: ${here}`,
      `CSeq: ${cseq} ${method}`,
      `Contact: <sip:${here}>`,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  }

  say(text: string): void {
    this.sentBytes += text.length;
    this.#sip.send(text, target.port, target.address);
  }

  invite(user: string): void {
    const { port } = this.#rtp.address();
    const media = `c=IN IP4 ${this.#address}\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0\r\n`;
    this.say(this.request('INVITE', user, { body: `v=0\r\no=- 1 1 IN IP4 ${this.#address}\r\ns=-\r\n${media}` }));
  }

  /** Copies of responses to INVITE. */
  copies(status: number): string[] {
    const texts = this.sip.map(({ bytes }) => bytes.toString('latin1'));
    return texts.filter((text) => text.startsWith(`SIP/2.0 ${status}`) && /^CSeq: 1 INVITE/m.test(text));
  }

  within(method: 'ACK' | 'BYE'): void {
    const [ok = ''] = this.copies(200);
    const to = /^To: .*$/m.exec(ok)?.[0].trim() ?? '';
    this.say(this.request(method, '', { to, cseq: method === 'ACK' ? 1 : 2 }));
  }

  async talk(): Promise<void> {
    const [ok = ''] = this.copies(200);
    const port = Number(/^m=audio (\d+)/m.exec(ok)?.[1]);
    for (let i = 0; i < PACKETS; i++) {
      const packet = Buffer.alloc(172, Buffer.from([0x20, 0x20, 0xa0, 0xa0]));
      packet.writeUInt16BE(0x8000, 0);
      packet.writeUInt16BE(i, 2);
      packet.writeUInt32BE(i * PACKET_MS * 8, 4);
      this.#rtp.send(packet, port, target.address);
      await new Promise((resolve) => setTimeout(resolve, PACKET_MS));
    }
  }

  bytes(datagrams: readonly Datagram[]): number {
    return datagrams.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  close(): void {
    this.#sip.close();
    this.#rtp.close();
  }
}

t.test(
  'a 200 that nobody acknowledges brings a few packets; one whose ACK was lost, a call that is measured right',
  async (t) => {
    const id = await lab.startRun('answered');
    const [victim, honest] = [await FarEnd.open(lab.net.address(200)), await FarEnd.open(lab.net.address(201))];
    victim.invite('any@');
    honest.invite('any@');
    await until('the 200 has come three times', () => Promise.resolve(honest.copies(200).length >= 3));
    t.ok(honest.rtp.length > 0 && honest.rtp.length <= PACKETS_BEFORE_CONSENT, `${honest.rtp.length} before the ACK`);
    honest.within('ACK');
    await honest.talk();
    await until('the rest has come', () => Promise.resolve(honest.rtp.length > PACKETS_BEFORE_CONSENT + PACKETS / 2));
    honest.within('BYE');
    const run = await lab.ended(id);

    const packets = honest.rtp.filter(({ bytes }) => (bytes[1]! & 0x7f) === 0);
    const numbers = packets.map(({ bytes }) => bytes.readUInt16BE(2));
    t.ok(
      numbers.every((n, i) => i === 0 || n === ((numbers[i - 1]! + 1) & 0xffff)),
      'no number is missing',
    );
    const stamps = packets.map(({ bytes }) => bytes.readUInt32BE(4));
    const steps = stamps.map((stamp, i) => (i === 0 ? 0 : (stamp - stamps[i - 1]!) >>> 0));
    t.ok(Math.max(...steps) >= 1000 * 8, 'timestamps ran on meanwhile');

    const endpoints = await lab.endpoints(id);
    const outcomes = endpoints.map(({ outcome, failure }) => failure?.cause ?? outcome);
    t.same(outcomes.sort(), ['ACK_MISSING', 'SUCCESS']);
    t.equal(run.callTiming.totalCalls, 2);
    const { sentBytes, sip, rtp } = victim;
    t.ok(rtp.length > 0 && rtp.length <= PACKETS_BEFORE_CONSENT, `${rtp.length} packets`);
    t.comment(
      `one INVITE of ${sentBytes} B: ${rtp.length} packets of media, ${victim.bytes(rtp)} B; ${sip.length} of SIP, ${victim.bytes(sip)} B`,
    );
    victim.close();
    honest.close();
  },
);

t.test('media before the answer: as few, however long it rings', async (t) => {
  const id = await lab.startRun('early');
  const victim = await FarEnd.open(lab.net.address(202));
  victim.invite('any@');
  await until('it was answered', () => Promise.resolve(victim.copies(200).length > 0));
  t.ok(victim.copies(183).length > 0);
  t.ok(victim.rtp.length > 0 && victim.rtp.length <= PACKETS_BEFORE_CONSENT, `${victim.rtp.length} packets`);
  victim.within('ACK');
  await until('it goes on', () => Promise.resolve(victim.rtp.length > PACKETS_BEFORE_CONSENT + 10));
  victim.within('BYE');
  await lab.ended(id);
  victim.close();
});

t.test('strangers get back no more than they have sent, and a flood of them less', async (t) => {
  const stranger = await FarEnd.open(lab.net.address(203));
  const small = stranger.request('OPTIONS', '').replace(/^(?:Contact|Max-Forwards|Content-Length).*\r\n/gm, '');
  const asked = [
    stranger.request('INVITE', 'nobody@'),
    stranger.request('OPTIONS', 'nobody@'),
    stranger.request('OPTIONS', ''),
    small,
    stranger.request('REGISTER', ''),
    stranger.request('BYE', 'nobody@', { to: 'To: <sip:nobody@h>;tag=2' }),
    stranger.request('NONSENSE', 'nobody@'),
    stranger.request('INVITE', 'nobody@').replace('Max-Forwards: 70', 'Max-Forwards: 700'),
    stranger.request('INVITE', 'nobody@').slice(0, -40),
    stranger.request('INVITE', 'nobody@').replace('sip:nobody@', 'nonsense:'),
  ];
  const withheld = async (): Promise<number> =>
    (await scrape(lab.agents[0]?.metricsUrl ?? '')).value('carillon_agent_sip_withheld_total') ?? 0;
  for (const text of asked) stranger.say(text);
  const honest = await FarEnd.open(lab.net.address(204));
  for (let i = 0; i < 20; i++) for (const text of asked) stranger.say(text);
  await until('what was withheld is counted', async () => (await withheld()) > 0);
  honest.say(
    honest.request('OPTIONS', '').replace('Max-Forwards: 70', `Max-Forwards: 70\r\nSubject: ${'x'.repeat(300)}`),
  );
  await until('another one is answered', () => Promise.resolve(honest.sip.length > 0));
  const { sentBytes, sip } = stranger;
  t.ok(sip.length > 0 && sip.length < 21 * asked.length, `${sip.length} answers to ${21 * asked.length}`);
  t.ok(stranger.bytes(sip) <= sentBytes, `${stranger.bytes(sip)} B for ${sentBytes} B`);
  t.comment(`${21 * asked.length} requests of ${sentBytes} B: ${sip.length} answers of ${stranger.bytes(sip)} B`);
  stranger.close();
  honest.close();
});
