/**
 * Settings of a group without conversion: endpoints use the wire's values. A new field of the wire's Group belongs
 * here, unless it is listed.
 */
import { wire } from '@carillon/proto';

type WireGroup = wire.agent.v1.Group;

/** The fields that decode-group.ts and decode-allocation.ts read. */
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
  'engine',
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

/** The names are those of allocation.proto. */
export type PlainSettings = Readonly<Omit<WireGroup, (typeof READ)[number]>>;

/**
 * The order is always the same, whatever the order on the wire: code that V8 has compiled for the groups of one
 * allocation then fits those of all others (shapes).
 */
const NAMES: readonly (keyof WireGroup)[] = namesOf(new wire.agent.v1.Group());

/** Missing fields have proto3's defaults: false, 0, ''. */
export function plainSettings(group: wire.agent.v1.Group.$Properties): PlainSettings {
  const plain: Record<string, unknown> = {};
  // Defaults are in the prototype.
  const whole = new wire.agent.v1.Group(group);
  for (const name of NAMES) plain[name] = whole[name];
  return plain as PlainSettings;
}

/** The field names of an object without fields of its own: those of its prototype. */
function namesOf(empty: WireGroup): (keyof WireGroup)[] {
  const names: (keyof WireGroup)[] = [];
  for (const name in empty) if (!READ.some((one) => one === name)) names.push(name as keyof WireGroup);
  return names;
}
