/**
 * Every message of the protocol with every field set, with the bytes of the version that wrote it (golden-messages.json). Running
 * this file adds missing entries (afterwards run biome check --write), and changes no existing entry, because those have the
 * bytes of earlier versions.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import protobuf from 'protobufjs';

const FOLDER = path.resolve(import.meta.dirname, '..');
const FILE = path.join(import.meta.dirname, 'golden-messages.json');

/** `says` has the decoded contents, with bytes in hex and enums by number. */
export type GoldenMessage = { readonly hex: string; readonly says: Record<string, unknown> };

export const goldenMessages = (): Record<string, GoldenMessage> => JSON.parse(readFileSync(FILE, 'utf8'));

const root = new protobuf.Root();
root.resolvePath = (_origin, target) => path.join(FOLDER, target);
root.loadSync('carillon/agent/v1/link.proto');
root.resolveAll();

/** All message types by name. */
const messageTypes = (): protobuf.Type[] =>
  (root.lookup('carillon.agent.v1') as protobuf.Namespace).nestedArray.filter((o) => o instanceof protobuf.Type);

/** A value for every field. Of a oneof's fields, only the chosen one has a value. No message may contain itself. */
function sampleOf(type: protobuf.Type, chosen = 0): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  for (const field of type.fieldsArray) {
    const group = field.partOf && !field.options?.['proto3_optional'] ? field.partOf.fieldsArray : null;
    if (group && group[chosen % group.length] !== field) continue;
    sample[field.name] = field.repeated ? [sampleOfField(field, 1), sampleOfField(field, 2)] : sampleOfField(field, 1);
  }
  return sample;
}

function sampleOfField(field: protobuf.Field, n: number): unknown {
  if (field.resolvedType instanceof protobuf.Type) return sampleOf(field.resolvedType);
  if (field.resolvedType instanceof protobuf.Enum) return Object.values(field.resolvedType.values)[n] ?? n;
  if (field.type === 'string') return `${field.name} ${n}`;
  if (field.type === 'bytes') return new Uint8Array(16).fill(field.id + n);
  if (field.type === 'bool') return true;
  if (field.type === 'float' || field.type === 'double') return field.id + n / 4;
  return 1000 * field.id + n;
}

/** The bytes of a sample, and their contents. */
function goldenOf(type: protobuf.Type, chosen = 0): GoldenMessage {
  const sample = sampleOf(type, chosen);
  const hex = Buffer.from(type.encode(type.fromObject(sample)).finish()).toString('hex');
  const says = JSON.parse(
    JSON.stringify(sample, (_key, v) => (v instanceof Uint8Array ? Buffer.from(v).toString('hex') : v)),
  );
  return { hex, says };
}

/** One entry for each message, and for an envelope one for each body. */
export function wanted(): Map<string, () => GoldenMessage> {
  const all = new Map<string, () => GoldenMessage>();
  for (const type of messageTypes()) {
    const bodies = type.oneofsArray.filter((o) => !o.isProto3Optional).flatMap((o) => o.fieldsArray);
    if (bodies.length === 0) all.set(type.name, () => goldenOf(type));
    for (const [i, body] of bodies.entries()) all.set(`${type.name}.${body.name}`, () => goldenOf(type, i));
  }
  return all;
}

if (import.meta.main) {
  const present = goldenMessages();
  const missing = [...wanted()].filter(([name]) => !(name in present));
  for (const [name, make] of missing) present[name] = make();
  writeFileSync(FILE, `${JSON.stringify(present, null, 1)}\n`);
  console.log(`${missing.length} added: ${missing.map(([name]) => name).join(', ')}`);
}
