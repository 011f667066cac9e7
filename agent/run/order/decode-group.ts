/** Converts an allocation's groups to plain data. Unsupported features are refused by name, before anything starts. */
import { type Impairment, impairmentFault } from '@carillon/media/impairment/impairment.ts';
import { isFindingKind, type wire } from '@carillon/proto';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { MediaAbilities } from '../../rtp/abilities.ts';
import type { StreamSource } from '../../rtp/media-engine.ts';
import type { OwnHeader, RegisterRetry, TlsSettings } from '../../sip/engine.ts';
import { AllocationRefused } from '../limits/allocation-refused.ts';
import { plainSettings } from '../plain-settings.ts';
import type { DtmfPlan, GroupPlan, IcePlan, TrackPlan, WithoutMediaPlan } from '../plan.ts';
import { decodeActions, decodeAnswering, decodeSignalling } from './decode-scenario.ts';

type Group = wire.agent.v1.Group.$Properties;

/**
 * @throws AllocationRefused MODE, ENGINE, CALLS_FROM, PROTOCOL, TLS, CODEC, MEDIA, ENCRYPTION, ICE, DIGITS, IMPAIRMENT, ACTION
 * or MALFORMED
 */
export function decodeGroup(group: Group, can: MediaAbilities): GroupPlan {
  const encryption = group.encryption || 'NONE';
  const mode = MODES.find((one) => one === (group.mode || 'CALL')) ?? refuse('MODE', `mode ${group.mode}`);
  return {
    ...plainSettings(group),
    mode,
    engine: engine(group),
    registerExpiresSeconds: group.registerExpiresSeconds ?? 3600,
    registerRetry: group.registerRetry == null ? null : registerRetry(group.registerRetry),
    headers: (group.headers ?? []).map(header),
    routeSet: group.route ? [group.route] : [],
    callsFrom:
      CALL_SOURCES.find((one) => one === (group.callsFrom || 'ANYBODY')) ??
      refuse('CALLS_FROM', `calls from ${group.callsFrom} only`),
    gateways: [],
    protocol:
      PROTOCOLS.find((one) => one === (group.protocol || 'UDP')) ?? refuse('PROTOCOL', `SIP over ${group.protocol}`),
    tls: group.tls == null ? null : tls(group.tls),
    tracks: mode === 'CALL' && !group.withoutMedia ? tracks(group, can) : [],
    withoutMedia: mode === 'CALL' && group.withoutMedia ? withoutMedia(group, can) : null,
    encryption: can.encryptions.find((one) => one === encryption) ?? refuse('ENCRYPTION', `encryption ${encryption}`),
    ice: ice(group.ice || 'NONE'),
    dtmf: group.dtmf == null ? null : dtmf(group.dtmf, can),
    actions: decodeActions(group.actions ?? [], can),
    signalling: decodeSignalling(group.signalling),
    outbound: group.signalling?.instanceId === 'ACCOUNT',
    answering: decodeAnswering(group.signalling),
    correlate: group.signalling?.correlate ?? false,
    impairment: group.impairment == null ? null : impairment(group.impairment, can),
    // An unknown kind is left out, because this agent never finds it.
    tolerated: (group.toleratedFindings ?? []).filter(isFindingKind),
  };
}

const MODES = ['CALL', 'REGISTER', 'OPTIONS', 'STUN'] as const;
const PROTOCOLS = ['UDP', 'TCP', 'TLS', 'WS', 'WSS', 'AUTO'] as const;
const ENGINES = ['CORE', 'SIPJS'] as const;
const CALL_SOURCES = ['SERVER', 'ANYBODY'] as const;
const METHODS = ['INVITE', 'REGISTER', 'BYE'] as const;
const SDP = ['OFFER', 'NONE'] as const;
const VERIFY = ['SYSTEM', 'CUSTOM', 'SKIP'] as const;

function tls({ verify, ca, certificate, key }: wire.agent.v1.Tls.$Properties): TlsSettings {
  return {
    verify: VERIFY.find((one) => one === (verify || 'SYSTEM')) ?? refuse('TLS', `to verify certificates by ${verify}`),
    ...(ca ? { ca } : {}),
    ...(certificate ? { certificate } : {}),
    ...(key ? { key: new Secret(key) } : {}),
  };
}

const STUN_PORT = 3478;

function ice(text: string): IcePlan | null {
  if (text === 'NONE') return null;
  if (text === 'HOST') return { stunServer: null };
  const server = /^stun:(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?$/i.exec(text);
  if (server === null) refuse('ICE', `ICE with ${text}`);
  return { stunServer: { host: (server[1] ?? server[2]) as string, port: Number(server[3] ?? STUN_PORT) } };
}

function engine(group: Group): GroupPlan['engine'] {
  const wanted =
    ENGINES.find((one) => one === (group.engine || 'CORE')) ?? refuse('ENGINE', `SIP with ${group.engine}`);
  const isWebSocket = group.protocol === 'WS' || group.protocol === 'WSS';
  if (wanted === 'SIPJS' && !isWebSocket) refuse('ENGINE', `SIPJS over ${group.protocol || 'UDP'}`);
  return wanted;
}

/** An invalid name would start another line in the message. */
function header({ method, name, value }: wire.agent.v1.Header.$Properties): OwnHeader {
  const known = METHODS.find((one) => one === method) ?? refuse('HEADER', `header fields of ${method}`);
  if (!/^[A-Za-z0-9\-.!%*_+`'~]+$/.test(name ?? ''))
    throw new AllocationRefused('MALFORMED', `${JSON.stringify(name)} is not a valid header field name`);
  return { method: known, name: name ?? '', value: value ?? '' };
}

function registerRetry({ afterSeconds, withinSeconds }: wire.agent.v1.RegisterRetry.$Properties): RegisterRetry {
  if (!afterSeconds || !withinSeconds || afterSeconds > withinSeconds)
    throw new AllocationRefused(
      'MALFORMED',
      `no REGISTER can be sent again after ${afterSeconds ?? 0} s within ${withinSeconds ?? 0} s`,
    );
  return { afterMs: afterSeconds * 1000, withinMs: withinSeconds * 1000 };
}

function refuse(code: string, what: string): never {
  throw new AllocationRefused(code, `this agent cannot do ${what}`);
}

function withoutMedia(group: Group, can: MediaAbilities): WithoutMediaPlan {
  const sdp = SDP.find((one) => one === (group.sdp || 'OFFER')) ?? refuse('MEDIA', `SDP as ${group.sdp}`);
  return { sdp, codecs: codecs(group.audioCodecs ?? [], can.audioCodecs) };
}

/** The group's audio track, and its video track if video codecs are named. */
function tracks(group: Group, can: MediaAbilities): TrackPlan[] {
  const audio: TrackPlan = {
    kind: 'AUDIO',
    codecs: codecs(group.audioCodecs ?? [], can.audioCodecs),
    packetMs: group.packetMs || 20,
    source: source(group.audioSource || 'TONE', can),
    direction: direction(group.audioDirection),
    dscp: dscp(group.audioDscp, can),
    deferred: group.audioDeferred ?? false,
  };
  if (audio.codecs.length === 0) throw new AllocationRefused('CODEC', 'no audio codec is named');
  if (!group.videoCodecs?.length) return [audio];
  const video: TrackPlan = {
    kind: 'VIDEO',
    codecs: codecs(group.videoCodecs, can.videoCodecs),
    source: source(group.videoSource || 'PATTERN', can),
    direction: direction(group.videoDirection),
    dscp: dscp(group.videoDscp, can),
    deferred: group.videoDeferred ?? false,
    h264: null,
  };
  return [audio, video];
}

/** All wanted codecs must be known: a call with only some of them would be a different test. */
const codecs = <T extends string>(wanted: readonly string[], known: readonly T[]): readonly T[] =>
  wanted.map((codec) => known.find((one) => one === codec) ?? refuse('CODEC', `the codec ${codec}`));

function source(text: string, { sources }: MediaAbilities): StreamSource {
  const file = /^FILE:[0-9a-f]{64}$/.test(text);
  if (!sources.some((one) => (one === 'FILE' ? file : one === text))) refuse('MEDIA', `media from ${text}`);
  return text as StreamSource;
}

const DIRECTIONS = ['BOTH', 'SEND', 'RECEIVE'] as const;
const direction = (text: string | null | undefined): (typeof DIRECTIONS)[number] =>
  DIRECTIONS.find((one) => one === text) ?? 'BOTH';

function dscp(value: number | null | undefined, can: MediaAbilities): number {
  if (!value) return 0;
  if (value > 63) throw new AllocationRefused('MALFORMED', `a DSCP of ${value} is not within 0 to 63`);
  return can.dscp ? value : refuse('MEDIA', 'DSCP marking');
}

function dtmf({ digits, onMs, offMs, afterMs }: wire.agent.v1.Dtmf.$Properties, can: MediaAbilities): DtmfPlan {
  if (!can.digits) refuse('DIGITS', 'DTMF digits');
  if (!digits || !/^(?:[0-9*#A-D]|\{\{[^{}]+\}\})+$/.test(digits))
    throw new AllocationRefused('MALFORMED', `${JSON.stringify(digits)} are no digits of 0-9 * # A-D`);
  return { digits, onMs: onMs || 100, offMs: offMs || 100, afterMs: afterMs ?? 0 };
}

function impairment(wanted: wire.agent.v1.Impairment.$Properties, can: MediaAbilities): Impairment {
  if (!can.impairment) refuse('IMPAIRMENT', 'impairment of media');
  const plan = {
    seed: wanted.seed ?? 0,
    lossPercent: wanted.lossPercent ?? 0,
    burstRatio: wanted.burstRatio ?? 1,
    delayMs: wanted.delayMs ?? 0,
    jitterMs: wanted.jitterMs ?? 0,
    jitterDistribution: (wanted.jitterDistribution || 'UNIFORM') as Impairment['jitterDistribution'],
    reorderPercent: wanted.reorderPercent ?? 0,
    duplicatePercent: wanted.duplicatePercent ?? 0,
  };
  const fault = impairmentFault(plan);
  if (fault !== null) throw new AllocationRefused('MALFORMED', fault);
  return plan;
}
