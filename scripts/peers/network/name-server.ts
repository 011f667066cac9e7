/** A name server in the test's process: real datagrams and TCP, records from a table, and every kind of failure. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';

export type Zone = {
  /**
   * By `TYPE name`: records as dns-packet writes their data. SILENT: no answer; SERVFAIL, REFUSED: no records and that code;
   * GARBAGE: no DNS message. Other names do not exist.
   */
  [question: string]: readonly unknown[] | 'SILENT' | 'SERVFAIL' | 'REFUSED' | 'GARBAGE';
};

const RCODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
/** The datagram size of a resolver without EDNS (RFC 1035, 4.2.1). */
const MAX_BYTES = 512;

export class NameServer {
  zone: Zone;
  ttlSeconds = 60;
  /** The delay of its answers over UDP. */
  delayMs = 0;
  /** `UDP A pbx.example`, in the order of arrival. */
  readonly asked: string[] = [];
  readonly address: string;
  #port = 0;
  readonly #udp = createSocket('udp4');
  readonly #tcp = createServer();

  private constructor(address: string, zone: Zone) {
    this.address = address;
    this.zone = zone;
    this.#udp.on('message', (message, { address: from, port }) => {
      const answer = this.#answer('UDP', message);
      if (answer === null) return;
      const truncated = answer.length > MAX_BYTES;
      const send = () => this.#udp.send(truncated ? this.#cut(message) : answer, port, from);
      if (this.delayMs === 0) send();
      else setTimeout(send, this.delayMs);
    });
    this.#tcp.on('connection', (socket) => {
      let kept = Buffer.alloc(0);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        kept = Buffer.concat([kept, bytes]);
        while (kept.length >= 2 && kept.length >= 2 + kept.readUInt16BE(0)) {
          const length = kept.readUInt16BE(0);
          const answer = this.#answer('TCP', kept.subarray(2, 2 + length));
          kept = kept.subarray(2 + length);
          if (answer === null) continue;
          const head = Buffer.alloc(2);
          head.writeUInt16BE(answer.length);
          socket.write(Buffer.concat([head, answer]));
        }
      });
    });
  }

  /** On a free port of `address`, the same for UDP and TCP. */
  static async start(zone: Zone, address = '127.0.0.1'): Promise<NameServer> {
    const server = new NameServer(address, zone);
    server.#tcp.listen(0, address);
    await once(server.#tcp, 'listening');
    server.#port = (server.#tcp.address() as AddressInfo).port;
    server.#udp.bind(server.#port, address);
    await once(server.#udp, 'listening');
    return server;
  }

  /** `127.0.0.1:5353`, as a resolver wants it. */
  get place(): string {
    return `${this.address}:${this.#port}`;
  }

  close(): void {
    this.#udp.close();
    this.#tcp.close();
  }

  #answer(how: 'UDP' | 'TCP', message: Buffer): Buffer | null {
    const query = decode(message);
    const question = query.questions?.[0];
    if (question === undefined) return null;
    const name = question.name.toLowerCase();
    const key = `${question.type} ${name}`;
    this.asked.push(`${how} ${key}`);
    const found = this.zone[key];
    if (found === 'SILENT') return null;
    if (found === 'GARBAGE') return Buffer.from([...message.subarray(0, 2), 0x80, 0]);
    const exists = Object.keys(this.zone).some((one) => one.endsWith(` ${name}`));
    const rcode = typeof found === 'string' ? found : found !== undefined || exists ? 'NOERROR' : 'NXDOMAIN';
    return this.#encode(query, {
      flags: AUTHORITATIVE_ANSWER | RCODES[rcode],
      answers: this.#records(question.type, name),
    });
  }

  /** A CNAME comes with the records of its target (RFC 1034, 3.6.2). */
  #records(type: string, name: string): Answer[] {
    const found = this.zone[`${type} ${name}`];
    const alias = this.zone[`CNAME ${name}`];
    const of = (kind: string, data: unknown): Answer => ({ type: kind, name, ttl: this.ttlSeconds, data }) as Answer;
    if (typeof found === 'object') return found.map((data) => of(type, data));
    if (typeof alias !== 'object') return [];
    return alias.flatMap((data) => [of('CNAME', data), ...this.#records(type, String(data))]);
  }

  /** Only the bit that means: ask again over TCP (RFC 7766). */
  #cut(message: Buffer): Buffer {
    return this.#encode(decode(message), { flags: AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE });
  }

  #encode(query: Packet, rest: Packet): Buffer {
    return Buffer.from(encode({ type: 'response', id: query.id ?? 0, questions: query.questions ?? [], ...rest }));
  }
}

export const naptr = (order: number, preference: number, services: string, replacement: string) => ({
  order,
  preference,
  flags: 's',
  services,
  regexp: '',
  replacement,
});

export const srv = (priority: number, weight: number, port: number, target: string) => ({
  priority,
  weight,
  port,
  target,
});
