/** Session descriptions of one audio stream, read and written separately (RFC 8866, RFC 3264). */
import { randomBytes } from 'node:crypto';

export type MediaDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export type AnswerTerms = {
  readonly codec?: 'PCMU' | 'OPUS';
  /** absent: as the other end permits. */
  readonly direction?: MediaDirection;
  /** RFC 3389, under its static number. */
  readonly comfortNoise?: boolean;
};

export type Offered = {
  readonly address: string;
  readonly rtpPort: number;
  readonly rtcpPort: number;
  readonly profile: string;
  readonly direction: MediaDirection;
  /** Payload type by encoding in capitals, for named ones: `TELEPHONE-EVENT`. */
  readonly formats: ReadonlyMap<string, number>;
  readonly cryptos: readonly { readonly tag: string; readonly suite: string }[];
};

const STATIC: Readonly<Record<number, string>> = { 0: 'PCMU', 8: 'PCMA', 9: 'G722', 13: 'CN', 18: 'G729' };
const ANSWERED = { sendrecv: 'sendrecv', sendonly: 'recvonly', recvonly: 'sendonly', inactive: 'inactive' } as const;
/** The suite that every peer has (RFC 4568, 6.2). */
const SUITE = 'AES_CM_128_HMAC_SHA1_80';
const KEY_SALT_BYTES = 30;

/** Its first audio stream. */
export function readSdp(text: string): Offered {
  const media = text.slice(text.indexOf('m=audio'));
  const [, port = '0', profile = '', types = ''] = /^m=audio (\d+) (\S+) (.*)\r?$/m.exec(media) ?? [];
  const mapped = [...media.matchAll(/^a=rtpmap:(\d+) ([^/\s]+)/gm)].map(([, type, name]) => [type, name] as const);
  const named = types.split(' ').map((type) => {
    const name = mapped.find(([one]) => one === type)?.[1] ?? STATIC[Number(type)] ?? type;
    return [name.toUpperCase(), Number(type)] as const;
  });
  return {
    address: (/^c=IN IP4 (\S+)/m.exec(media) ?? /^c=IN IP4 (\S+)/m.exec(text))?.[1] ?? '',
    rtpPort: Number(port),
    rtcpPort: Number(/^a=rtcp:(\d+)/m.exec(media)?.[1] ?? Number(port) + 1),
    profile,
    direction: (/^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(media)?.[1] ?? 'sendrecv') as MediaDirection,
    formats: new Map(named.reverse()),
    cryptos: [...media.matchAll(/^a=crypto:(\d+) (\S+)/gm)].map(([, tag = '', suite = '']) => ({ tag, suite })),
  };
}

export type OurEnd = { readonly address: string; readonly rtpPort: number; readonly version: number };

/** `offered` null: this is the offer. `direction` absent: as the other end permits. */
export function writeSdp(
  { address, rtpPort, version }: OurEnd,
  offered: Offered | null,
  { codec = 'PCMU', direction, comfortNoise = false }: AnswerTerms,
): string {
  const event = offered?.formats.get('TELEPHONE-EVENT');
  const audio = codec === 'OPUS' ? (offered?.formats.get('OPUS') ?? 111) : 0;
  const types = [audio, ...(event === undefined ? [] : [event]), ...(comfortNoise ? [13] : [])];
  const crypto = offered?.cryptos.find(({ suite }) => suite === SUITE);
  return [
    'v=0',
    `o=- 1 ${version} IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${rtpPort} ${offered?.profile ?? 'RTP/AVP'} ${types.join(' ')}`,
    codec === 'OPUS' ? `a=rtpmap:${audio} opus/48000/2` : 'a=rtpmap:0 PCMU/8000',
    ...(event === undefined
      ? []
      : [`a=rtpmap:${event} telephone-event/${codec === 'OPUS' ? 48_000 : 8000}`, `a=fmtp:${event} 0-15`]),
    ...(comfortNoise ? ['a=rtpmap:13 CN/8000'] : []),
    ...(crypto ? [`a=crypto:${crypto.tag} ${SUITE} inline:${randomBytes(KEY_SALT_BYTES).toString('base64')}`] : []),
    'a=ptime:20',
    `a=${direction ?? ANSWERED[offered?.direction ?? 'sendrecv']}`,
    '',
  ].join('\r\n');
}

/** Whether its author wants to receive. */
export const wantsMedia = ({ direction }: Offered): boolean => direction === 'sendrecv' || direction === 'recvonly';
