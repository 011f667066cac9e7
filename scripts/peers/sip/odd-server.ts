/**
 * A registrar and callee at two addresses with rare but permitted behaviour: two challenges for one request, a nonce that is
 * stale when it is used, answers without Contact, Contacts full of parameters. It checks every digest with a separate
 * computation.
 */
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { header, methodOf, readSip, repeated, type SipText, uriIn, writeSip } from './behaving/sip-text.ts';

type Challenge = { readonly status: 401 | 407; readonly nonce: string; readonly stale?: boolean };

/** By the called user: the challenges of its INVITE, in turn, and the Contact of its answer. */
const CALLEES: Readonly<
  Record<string, { readonly challenges: readonly Challenge[]; readonly contact: ((uri: string) => string) | null }>
> = {
  twice: {
    challenges: [
      { status: 401, nonce: 'i1' },
      { status: 407, nonce: 'i2' },
    ],
    contact: (uri) => `<${uri};lr-like=no;unknown=a%2Cb>;q=0.7;+x="a,b;c";flag`,
  },
  stale: {
    challenges: [
      { status: 407, nonce: 'i1' },
      { status: 407, nonce: 'i2', stale: true },
    ],
    contact: (uri) => uri,
  },
  nameless: { challenges: [], contact: null },
};
/** The fourth REGISTER is the first that refreshes. */
const REGISTER: readonly (Challenge | 'GRANTED')[] = [
  { status: 401, nonce: 'r1' },
  { status: 407, nonce: 'r2' },
  'GRANTED',
  { status: 401, nonce: 'r3', stale: true },
];
/** Refreshed after half of it. */
const EXPIRES = 4;
const REALM = 'odd, "quoted" realm';

export type OddRequest = {
  readonly method: string;
  readonly uri: string;
  /** User of From. */
  readonly account: string;
  /** Nonces that it answers, each with a correct digest. */
  readonly answers: readonly string[];
  readonly wrong: readonly string[];
};

export type OddServer = {
  readonly port: number;
  readonly requests: readonly OddRequest[];
  /** Calls the contact of an account from that address; the final status. Answered calls are hung up. */
  call(account: string, from: string): Promise<number>;
  close(): void;
};

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&');

/** `addresses`: the first answers requests; all may call. */
export async function startOddServer(
  addresses: readonly [string, ...string[]],
  passwordOf: (user: string) => string,
): Promise<OddServer> {
  const sockets = new Map(addresses.map((address) => [address, createSocket('udp4')]));
  const main = sockets.get(addresses[0])!;
  main.bind(0, addresses[0]);
  await once(main, 'listening');
  const { port } = main.address();
  for (const [address, socket] of sockets) if (socket !== main) await once(socket.bind(port, address), 'listening');
  const requests: OddRequest[] = [];
  const contacts = new Map<string, string>();
  /** Requests that were challenged or answered, by Call-ID and method. */
  const steps = new Map<string, number>();
  const waiting = new Map<string, (response: SipText) => void>();
  /** By transaction (RFC 3261, 17.2.3): a request that comes again gets the same response, and is no further step. */
  const responses = new Map<string, string>();

  /** The nonce that each credentials header answers; '!' before it: the digest is wrong. */
  function credentials({ headers }: SipText, method: string): string[] {
    const lines = headers.filter(([name]) => name === 'authorization' || name === 'proxy-authorization');
    return lines.map(([, line]) => {
      const fields = new Map(
        [...line.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(([, name, quoted, plain]) => [
          name,
          quoted ?? plain ?? '',
        ]),
      );
      const of = (name: string): string => fields.get(name) ?? '';
      const a1 = md5(`${of('username')}:${REALM}:${passwordOf(of('username'))}`);
      const a2 = md5(`${method}:${of('uri')}`);
      const right = md5([a1, of('nonce'), of('nc'), of('cnonce'), 'auth', a2].join(':'));
      return `${right === of('response') && of('realm') === escaped(REALM) ? '' : '!'}${of('nonce')}`;
    });
  }

  const challenge = ({ status, nonce, stale }: Challenge) =>
    [
      status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate',
      `Digest algorithm=MD5, realm="${escaped(REALM)}", nonce="${nonce}", qop="auth-int,auth", odd=1${stale ? ', stale=true' : ''}`,
    ] as const;

  function answer(request: SipText, send: (text: string) => void): void {
    const method = methodOf(request);
    const uri = request.start.split(' ')[1] ?? '';
    const callId = header(request, 'call-id');
    const transaction = `${method} ${header(request, 'via')}`;
    const before = responses.get(transaction);
    if (before !== undefined) {
      send(before);
      return;
    }
    // An ACK has the credentials of its INVITE (RFC 3261, 22.1).
    const given = credentials(request, method === 'ACK' ? 'INVITE' : method);
    const wrong = given.filter((one) => one.startsWith('!'));
    const account = /^sips?:([^@;]*)@/.exec(uriIn(header(request, 'from')))?.[1] ?? '';
    requests.push({ method, uri, account, answers: given.filter((one) => !one.startsWith('!')), wrong });
    if (method === 'ACK') return;
    const step = steps.get(`${callId} ${method}`) ?? 0;
    steps.set(`${callId} ${method}`, step + 1);
    const respond = (status: number, more: SipText['headers'] = [], body = ''): void => {
      const response = writeSip(`SIP/2.0 ${status} Odd`, [...repeated(request, 'odd'), ...more], body);
      responses.set(transaction, response);
      send(response);
    };
    if (method === 'REGISTER') {
      const now = REGISTER[step] ?? 'GRANTED';
      if (now !== 'GRANTED') {
        respond(now.status, [challenge(now)]);
        return;
      }
      const contact = uriIn(header(request, 'contact'));
      contacts.set(/^sips?:([^@;]*)@/.exec(uriIn(header(request, 'to')))?.[1] ?? '', contact);
      const odd = `+sip.instance="<urn:uuid:0>";reg-id=1;q=0.7;+x="a,b;c=\\"d\\"";flag;expires=${EXPIRES}`;
      respond(200, [['Contact', `<sip:other@192.0.2.1;unknown>;expires=3600, <${contact}>;${odd}`]]);
      return;
    }
    if (method !== 'INVITE') {
      respond(200);
      return;
    }
    const user = /^sip:([^@]*)@/.exec(uri)?.[1] ?? '';
    const callee = CALLEES[user];
    if (!callee) {
      respond(404);
      return;
    }
    const next = callee.challenges[step];
    if (next) {
      respond(next.status, [challenge(next)]);
      return;
    }
    const own = `sip:${user}@${addresses[0]}:${port}`;
    const contact = callee.contact === null ? [] : [['Contact', callee.contact(own)] as const];
    const sdp = [
      'v=0',
      `o=- 1 1 IN IP4 ${addresses[0]}`,
      's=-',
      `c=IN IP4 ${addresses[0]}`,
      't=0 0',
      'm=audio 9 RTP/AVP 0',
      'a=recvonly',
      '',
    ];
    respond(200, contact, sdp.join('\r\n'));
    return;
  }

  for (const socket of sockets.values())
    socket.on('message', (bytes, from) => {
      const message = readSip(bytes.toString());
      if (!message) return;
      const send = (text: string): void => socket.send(text, from.port, from.address);
      if (methodOf(message) !== '') answer(message, send);
      else waiting.get(header(message, 'call-id'))?.(message);
    });

  async function call(account: string, from: string): Promise<number> {
    const contact = contacts.get(account) ?? '';
    const [, host = '', at = '5060'] = /@([^:;>]+)(?::(\d+))?/.exec(contact) ?? [];
    const callId = `${account}-${from}`;
    const request = (method: string, cseq: number, to: string, body = ''): string =>
      writeSip(
        `${method} ${contact} SIP/2.0`,
        [
          ['Via', `SIP/2.0/UDP ${from}:${port};branch=z9hG4bK-${method}-${callId}`],
          ...([
            ['Max-Forwards', '70'],
            ['From', `<sip:odd@${from}>;tag=odd`],
            ['To', to],
            ['Call-ID', callId],
          ] as const),
          ...([
            ['CSeq', `${cseq} ${method}`],
            ['Contact', `<sip:odd@${from}:${port}>`],
          ] as const),
        ],
        body,
      );
    const send = (text: string): void => sockets.get(from)!.send(text, Number(at), host);
    const sdp = ['v=0', `o=- 1 1 IN IP4 ${from}`, 's=-', `c=IN IP4 ${from}`, 't=0 0', 'm=audio 9 RTP/AVP 0', ''].join(
      '\r\n',
    );
    const final = new Promise<SipText>((resolve) => {
      waiting.set(callId, (response) => {
        if (/^SIP\/2\.0 [2-6]/.test(response.start)) resolve(response);
      });
    });
    const invite = request('INVITE', 1, `<${contact}>`, sdp);
    send(invite);
    const again = setInterval(() => send(invite), 500);
    const response = await final;
    clearInterval(again);
    const status = Number(response.start.split(' ')[1]);
    send(request('ACK', 1, header(response, 'to')));
    if (status < 300) send(request('BYE', 2, header(response, 'to')));
    return status;
  }

  return {
    port,
    requests,
    call,
    close() {
      for (const socket of sockets.values()) socket.close();
    },
  };
}
