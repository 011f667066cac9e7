/**
 * Settings of a group without conversion: endpoints use the wire's values. A new field of the wire's Group belongs
 * here, unless it is listed.
 */
import { wire } from '@carillon/proto';

type WireGroup = wire.agent.v1.Group;

/** What decode-group.ts and decode-allocation.ts read. */
const READ = [
  '$unknowns',
  'actions',
  'audioCodecs',
  'audioDeferred',
  'audioDirection',
  'audioDscp',
  'audioSource',
  'callsFrom',
  'dtmf',
  'encryption',
  'gateways',
  'headers',
  'ice',
  'impairment',
  'mode',
  'nextHop',
  'packetMs',
  'protocol',
  'registerExpiresSeconds',
  'registerRetry',
  'route',
  'sdp',
  'signalling',
  'tls',
  'toleratedFindings',
  'videoCodecs',
  'videoDeferred',
  'videoDirection',
  'videoDscp',
  'videoSource',
  'withoutMedia',
] as const satisfies readonly (keyof WireGroup)[];

/** Named as in allocation.proto. */
export type PlainSettings = Readonly<Omit<WireGroup, (typeof READ)[number]>>;

/** Missing fields have proto3's defaults: false, 0, ''. */
export function plainSettings(group: wire.agent.v1.Group.$Properties): PlainSettings {
  const plain: Record<string, unknown> = {};
  // Defaults are in the prototype.
  const whole = new wire.agent.v1.Group(group);
  for (const name in whole) if (!READ.some((one) => one === name)) plain[name] = whole[name as keyof WireGroup];
  return plain as PlainSettings;
}
