/**
 * Which room may import which (README, "The house"). Every arrow that points the wrong way is named; a file that belongs to no room
 * is one, too. Tests may look everywhere; what they share (`testing/`) is for them and for scripts.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DOORS } from './doors.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Room -> rooms that it may import besides itself. The first room that a file lies in is its room. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  proto: [],
  media: [],

  'agent/clock.ts': [],
  'agent/process': [],
  'agent/log.ts': [],
  'agent/config.ts': ['agent/process', 'proto/secret.ts'],
  'agent/version.ts': [],
  'agent/state-folder.ts': [],
  'agent/policy/listening.ts': ['agent/policy', 'agent/config.ts'],
  'agent/policy': ['proto'],
  'agent/health.ts': ['agent/metrics'],
  'agent/metrics': ['agent/playback', 'agent/link', 'agent/run', 'agent/rtp', 'media', 'proto'],
  'agent/net': ['agent/clock.ts', 'media/srtp', 'proto/secret.ts'],
  // Bottom up.
  'agent/sip/message': [],
  'agent/sip/text-table.ts': [],
  'agent/steps.ts': ['proto/machine.ts'],
  'agent/sip/timer-wheel.ts': [],
  'agent/sip/traffic.ts': ['proto/word-lists.ts'],
  'agent/sip/register-retry.ts': [],
  'agent/sip/identifiers.ts': ['agent/sip/message'],
  'agent/sip/engine.ts': [
    'agent/sip/message',
    'agent/sip/traffic.ts',
    'agent/sip/register-retry.ts',
    'agent/net',
    'agent/clock.ts',
    'media',
    'proto/secret.ts',
    'proto/word-lists.ts',
  ],
  'agent/sip/abilities.ts': ['agent/sip/engine.ts'],
  'agent/sip/turns.ts': ['agent/net', 'agent/clock.ts'],
  'agent/sip/digest': ['agent/sip/message', 'agent/sip/engine.ts'],
  'agent/sip/locate': ['agent/sip/message', 'agent/sip/engine.ts', 'agent/net'],
  'agent/sip/timers.ts': [],
  'agent/sip/transport': [
    'agent/sip/locate',
    'agent/sip/message',
    'agent/sip/engine.ts',
    'agent/sip/timer-wheel.ts',
    'agent/sip/timers.ts',
    'agent/net',
    'agent/steps.ts',
    'proto/machine.ts',
  ],
  'agent/sip/transaction': [
    'agent/sip/locate',
    'agent/sip/message',
    'agent/sip/transport',
    'agent/sip/engine.ts',
    'agent/sip/text-table.ts',
    'agent/sip/timer-wheel.ts',
    'agent/net',
    'agent/steps.ts',
    'proto/machine.ts',
    'agent/sip/timers.ts',
  ],
  'agent/sip/dialog': [
    'agent/sip/digest',
    'agent/sip/message',
    'agent/sip/transaction',
    'agent/sip/transport',
    'agent/sip/engine.ts',
    'agent/sip/identifiers.ts',
    'agent/sip/timer-wheel.ts',
    'media/sdp',
    'agent/steps.ts',
    'proto/machine.ts',
    'agent/sip/timers.ts',
  ],
  'agent/sip/registration': [
    'agent/sip/dialog/call-agent.ts',
    'agent/sip/dialog/dialog-request.ts',
    'agent/sip/dialog/redirects.ts',
    'agent/sip/digest',
    'agent/sip/message',
    'agent/sip/transaction',
    'agent/sip/transport',
    'agent/sip/engine.ts',
    'agent/sip/timer-wheel.ts',
    'agent/steps.ts',
    'proto/machine.ts',
  ],
  'agent/sip/core': [
    'agent/sip/dialog',
    'agent/sip/digest',
    'agent/sip/message',
    'agent/sip/registration',
    'agent/sip/transaction',
    'agent/sip/transport',
    'agent/sip/engine.ts',
    'agent/sip/identifiers.ts',
    'agent/sip/text-table.ts',
    'agent/sip/timer-wheel.ts',
    'agent/net',
    'agent/clock.ts',
  ],
  // Which engine it is to be; the engines on libraries know nothing of the own core.
  'agent/sip/engines/engines.ts': ['agent/sip'],
  'agent/sip/engines': [
    'agent/sip/dialog',
    'agent/sip/digest',
    'agent/sip/locate',
    'agent/sip/message',
    'agent/sip/registration',
    'agent/sip/engine.ts',
    'agent/sip/identifiers.ts',
    'agent/sip/timer-wheel.ts',
    'agent/net',
    'agent/clock.ts',
    'media/sdp',
    'agent/steps.ts',
    'proto/machine.ts',
    'proto/secret.ts',
  ],
  'agent/playback': ['agent/rtp/send/playlists.ts', 'agent/log.ts', 'agent/process', 'media'],
  'agent/rtp': [
    'agent/net',
    'agent/clock.ts',
    'agent/process',
    'agent/steps.ts',
    'media',
    'proto/figures',
    'proto/machine.ts',
  ],
  'agent/capture': [
    'agent/sip',
    'agent/net/datagrams/latin1.ts',
    'proto/machine.ts',
    'proto/secret.ts',
    'proto/word-lists.ts',
  ],
  // Bottom up.
  'agent/run/phases.ts': ['proto/word-lists.ts'],
  'agent/run/plain-settings.ts': ['proto'],
  'agent/run/number-table.ts': [],
  'agent/run/plan.ts': ['agent/run/plain-settings.ts', 'agent/rtp', 'agent/sip', 'media', 'proto'],
  'agent/run/limits': ['agent/run/plan.ts', 'agent/policy', 'agent/sip', 'proto'],
  'agent/run/order': [
    'agent/run/limits',
    'agent/run/plain-settings.ts',
    'agent/run/plan.ts',
    'agent/policy',
    'agent/rtp',
    'agent/sip',
    'media',
    'proto',
  ],
  'agent/run/report': [
    'agent/run/limits',
    'agent/run/phases.ts',
    'agent/run/number-table.ts',
    'agent/run/plan.ts',
    'agent/capture',
    'agent/clock.ts',
    'agent/rtp',
    'agent/sip',
    'media',
    'proto',
  ],
  'agent/run/outcome': [
    'agent/run/phases.ts',
    'agent/run/number-table.ts',
    'agent/run/plan.ts',
    'agent/run/report',
    'agent/policy',
    'agent/rtp',
    'agent/sip',
    'proto',
  ],
  'agent/run/endpoint': [
    'agent/run/limits',
    'agent/run/order',
    'agent/run/outcome',
    'agent/run/phases.ts',
    'agent/run/plan.ts',
    'agent/run/report',
    'agent/capture',
    'agent/rtp',
    'agent/sip',
    'agent/steps.ts',
    'media',
    'proto',
  ],
  'agent/run/allocation': [
    'agent/run/endpoint',
    'agent/run/limits',
    'agent/run/order',
    'agent/run/outcome',
    'agent/run/number-table.ts',
    'agent/run/plan.ts',
    'agent/run/report',
    'agent/clock.ts',
    'agent/log.ts',
    'agent/policy',
    'agent/rtp',
    'agent/sip',
    'agent/steps.ts',
    'media',
    'proto',
  ],
  'agent/run/threads': [
    'agent/run/allocation',
    'agent/run/limits',
    'agent/run/order',
    'agent/run/plan.ts',
    'agent/run/report',
    'agent/capture',
    'agent/clock.ts',
    'agent/policy',
    'agent/rtp',
    'agent/sip',
    'agent/steps.ts',
    'agent/process',
    'media',
    'proto',
  ],
  'agent/link': ['proto', 'agent/clock.ts', 'agent/log.ts'],
  // Parts of agent.ts: they may look everywhere, and nobody else imports them.
  'agent/assembly': ['agent', 'proto'],
  'agent/agent.ts': ['agent', 'proto'],
  'agent/selftest': ['agent/rtp', 'agent/net', 'agent/clock.ts', 'media'],
  'agent/doctor': [
    'agent/clock.ts',
    'agent/config.ts',
    'agent/link',
    'agent/net',
    'agent/policy',
    'agent/state-folder.ts',
  ],
  'agent/calibrate': [
    'agent/clock.ts',
    'agent/config.ts',
    'agent/log.ts',
    'agent/policy',
    'agent/rtp',
    'agent/run',
    'agent/state-folder.ts',
    'agent/version.ts',
    'media',
    'proto',
  ],
  'agent/commands': [
    'proto/secret.ts',
    'agent/agent.ts',
    'agent/calibrate',
    'agent/config.ts',
    'agent/doctor',
    'agent/link/identity.ts',
    'agent/process',
    'agent/policy',
    'agent/selftest',
    'agent/state-folder.ts',
    'agent/version.ts',
  ],
  'agent/main.ts': ['agent/commands', 'agent/process'],

  'control-plane/config.ts': ['control-plane/domain/network.ts', 'proto/secret.ts'],
  'control-plane/lifetime.ts': [],
  'control-plane/young-generation.ts': [],
  // Words that both sides of the link say: tables without a library.
  'control-plane/contract': [
    'proto/figures',
    'proto/findings.ts',
    'proto/q850.ts',
    'proto/secret.ts',
    'proto/template.ts',
    'proto/word-lists.ts',
  ],
  'control-plane/domain': [
    'control-plane/contract',
    'media',
    'proto/at-once.ts',
    'proto/call-sample.ts',
    'proto/figures',
    'proto/findings.ts',
    'proto/load',
    'proto/machine.ts',
    'proto/q850.ts',
    'proto/secret.ts',
    'proto/template.ts',
  ],
  'control-plane/store': ['control-plane/contract', 'control-plane/domain', 'proto/figures', 'proto/secret.ts'],
  'control-plane/ports.ts': ['control-plane/contract', 'control-plane/store'],
  'control-plane/operations': [
    'control-plane/contract',
    'control-plane/domain',
    'control-plane/store',
    'control-plane/ports.ts',
    'media',
    'proto',
  ],
  'control-plane/courier': ['control-plane/ports.ts', 'proto/secret.ts'],
  'control-plane/queue': ['control-plane/contract', 'control-plane/ports.ts', 'control-plane/store'],
  'control-plane/readiness': ['control-plane/ports.ts', 'control-plane/queue', 'control-plane/store'],
  'control-plane/link': [
    'control-plane/contract',
    'control-plane/domain',
    'control-plane/operations',
    'control-plane/ports.ts',
    'control-plane/store/listen.ts',
    'control-plane/store/agents/commands.ts',
    'proto',
  ],
  'control-plane/http': [
    'control-plane/contract',
    'control-plane/domain/markup.ts',
    'control-plane/domain/network.ts',
    'control-plane/operations',
    'control-plane/ports.ts',
    // What is read for Prometheus and for the health check, and nothing else.
    'control-plane/store/agents/workers.ts',
    'control-plane/store/probe/probe-gauges.ts',
    'control-plane/store/run/runs.ts',
    'control-plane/store/trouble.ts',
    'proto/secret.ts',
  ],
  // It speaks HTTP like any stranger.
  'control-plane/dashboard': ['control-plane/contract', 'proto/figures', 'proto/findings.ts', 'proto/q850.ts'],
  'control-plane/mcp': ['control-plane/contract', 'control-plane/operations', 'control-plane/ports.ts'],
  'control-plane/control-plane.ts': ['control-plane', 'proto/closers.ts', 'proto/secret.ts'],
  'control-plane/main.ts': ['control-plane/control-plane.ts', 'control-plane/config.ts', 'control-plane/lifetime.ts'],
  'control-plane/commands': ['control-plane', 'proto/closers.ts', 'proto/secret.ts'],

  scripts: ['control-plane', 'agent', 'media', 'proto'],
};

const inside = (file: string, room: string): boolean => file === room || file.startsWith(`${room}/`);
const roomOf = (file: string): string | undefined => Object.keys(MAY_IMPORT).find((room) => inside(file, room));

/** Tests and their kits: no product. */
export const isTest = (file: string): boolean => /\.test\.ts$|(^|\/)testing\//.test(file);

/** Sources without tests and without what was generated. */
export const ownSources = (): string[] =>
  globSync('{proto,media,agent,control-plane,scripts}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist|gen)$/.test(name),
  }).filter((file) => !/(^|\/)(gen|node_modules|dist)\//.test(file) && !isTest(file));

/** Wrong arrows, one line each. */
export function wrongArrows(): string[] {
  const wrong: string[] = [];
  for (const file of ownSources()) {
    const room = roomOf(file);
    if (!room) wrong.push(`${file}: belongs to no room`);
    else for (const target of imports(file)) wrong.push(...judge(file, room, target));
  }
  return wrong;
}

/** Specifiers of a file; `import(…)` and `new URL('./x.ts', import.meta.url)` count as well. */
export function imports(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:[^'";]*?\bfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g,
  );
  return [...found].map((m) => (m[1] ?? m[2] ?? m[3]) as string);
}

/** The file of ours that a specifier names; null: it is a library's, or the platform's. */
export function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  return specifier.startsWith('@carillon/') ? specifier.slice('@carillon/'.length) : null;
}

function judge(file: string, room: string, specifier: string): string[] {
  if (specifier.startsWith('node:')) return [];
  const target = targetOf(file, specifier);
  if (target !== null) {
    if (isTest(target) && !inside(file, 'scripts')) return [`${file} -> ${target}, which is for tests`];
    const allowed = inside(target, room) || (MAY_IMPORT[room] as readonly string[]).some((r) => inside(target, r));
    return allowed ? [] : [`${file} -> ${target}`];
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const doors = DOORS[name];
  if (!doors || inside(file, 'scripts') || doors.some((door) => inside(file, door))) return [];
  return [`${file} -> ${name} (its door: ${doors.join(', ')})`];
}

if (import.meta.main) {
  const wrong = wrongArrows();
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
