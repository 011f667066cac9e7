/** The rooms of the repository, and which may import which (docs/architecture.md, Rules). */
import { AGENT_ROOMS } from './agent-rooms.ts';
import { FEATURE_ROOMS } from './feature-rooms.ts';

/**
 * Each folder -> the folders that it may import besides itself. A file belongs to the first folder of the list that contains it.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  proto: [],
  media: [],

  ...AGENT_ROOMS,

  'control-plane/version.ts': [],
  'control-plane/called-as.ts': [],
  'control-plane/config.ts': [
    'control-plane/contract/fields.ts',
    'control-plane/domain/network.ts',
    'control-plane/feature-sums/settings.ts',
    'proto/base/secret.ts',
  ],
  'control-plane/lifetime.ts': [],
  'control-plane/heap.ts': [],
  // These are terms that both sides of the link use: tables without a library.
  'control-plane/contract': [
    'control-plane/feature-sums/fields.ts',
    'control-plane/feature-sums/formats.ts',
    'media/codec/audio-codecs.ts',
    'proto/words/causes.ts',
    'proto/figures',
    'proto/words/findings.ts',
    'proto/load/shapes',
    'proto/words/q850.ts',
    'proto/base/secret.ts',
    'proto/words/template.ts',
    'proto/words/word-lists.ts',
  ],
  'control-plane/domain': [
    'control-plane/contract',
    'media',
    'proto/at-once.ts',
    'proto/call-sample.ts',
    'proto/dialled-number.ts',
    'proto/number-pattern.ts',
    'proto/figures',
    'proto/words/findings.ts',
    'proto/load',
    'proto/base/machine.ts',
    'proto/words/q850.ts',
    'proto/base/secret.ts',
    'proto/words/template.ts',
  ],
  'control-plane/store': [
    'control-plane/called-as.ts',
    'control-plane/contract',
    'control-plane/domain',
    'proto/figures',
    'proto/base/files.ts',
    'proto/base/secret.ts',
  ],
  'control-plane/enrollment-hooks.ts': ['control-plane/store'],
  'control-plane/hooks.ts': [
    'control-plane/contract',
    'control-plane/domain/brand.ts',
    'control-plane/domain/markup.ts',
    'control-plane/domain/messages/branded-mail.ts',
    'control-plane/domain/messages/message.ts',
    'control-plane/enrollment-hooks.ts',
    'control-plane/feature-sums/fields.ts',
    'control-plane/store',
    'proto/base/machine.ts',
    'proto/base/secret.ts',
  ],
  'control-plane/mailer.ts': ['control-plane/domain'],
  'control-plane/ports.ts': [
    'control-plane/contract',
    'control-plane/hooks.ts',
    'control-plane/mailer.ts',
    'control-plane/store',
  ],
  'control-plane/limits': [
    'control-plane/contract',
    'control-plane/domain/network.ts',
    'control-plane/domain/seconds-after.ts',
    'control-plane/store',
    'control-plane/ports.ts',
  ],
  'control-plane/operations': [
    'control-plane/called-as.ts',
    'control-plane/catalogue.ts',
    'control-plane/contract',
    'control-plane/domain',
    'control-plane/enrollment-hooks.ts',
    'control-plane/hooks.ts',
    'control-plane/limits',
    'control-plane/store',
    'control-plane/ports.ts',
    'control-plane/version.ts',
    'media',
    'proto',
  ],
  'control-plane/courier': ['control-plane/mailer.ts', 'control-plane/ports.ts', 'proto/base/secret.ts'],
  'control-plane/queue': [
    'control-plane/contract',
    'control-plane/job-catalogue.ts',
    'control-plane/ports.ts',
    'control-plane/store',
  ],
  'control-plane/readiness': ['control-plane/ports.ts', 'control-plane/queue', 'control-plane/store'],
  'control-plane/link': [
    'control-plane/contract',
    'control-plane/domain',
    'control-plane/limits',
    'control-plane/operations',
    'control-plane/ports.ts',
    'control-plane/store/listen.ts',
    'control-plane/store/agents/commands.ts',
    'proto',
  ],
  'control-plane/http': [
    'control-plane/catalogue.ts',
    'control-plane/contract',
    'control-plane/domain/brand.ts',
    'control-plane/domain/markup.ts',
    'control-plane/domain/network.ts',
    'control-plane/feature-sums/routes.ts',
    'control-plane/feature-sums/rows.ts',
    'control-plane/handlers.ts',
    'control-plane/limits',
    'control-plane/operations',
    'control-plane/ports.ts',
    // These are data for Prometheus and the health check only.
    'control-plane/store/agents/workers.ts',
    'control-plane/store/probe/probe-gauges.ts',
    'control-plane/store/run/run-rows.ts',
    'control-plane/store/trouble.ts',
    'proto/base/files.ts',
    'proto/base/secret.ts',
  ],
  // The dashboard uses HTTP like any client.
  'control-plane/dashboard/show': [
    'control-plane/contract',
    'control-plane/feature-sums/pages.ts',
    'control-plane/dashboard/api.ts',
    'control-plane/dashboard/feature.ts',
    'control-plane/dashboard/me.tsx',
    'control-plane/dashboard/package.json',
    'media/codec/audio-codecs.ts',
    'media/impairment/impairment.ts',
    'proto/figures',
    'proto/words/findings.ts',
    'proto/load',
    'proto/words/q850.ts',
  ],
  'control-plane/dashboard/pages': [
    'control-plane/contract',
    'control-plane/dashboard/api.ts',
    'control-plane/dashboard/arrival.ts',
    'control-plane/dashboard/feature.ts',
    'control-plane/dashboard/me.tsx',
    'control-plane/dashboard/package.json',
    'control-plane/dashboard/show',
    'control-plane/feature-sums/pages.ts',
  ],
  'control-plane/dashboard': [
    'control-plane/catalogue.ts',
    'control-plane/contract',
    'control-plane/feature-sums/pages.ts',
    'media/codec/audio-codecs.ts',
    'media/impairment/impairment.ts',
    'proto/figures',
    'proto/words/findings.ts',
    'proto/load',
    'proto/words/q850.ts',
  ],
  // The command line starts both programs, for `carillon dev`.
  'control-plane/cli': [
    'agent/process/heap.ts',
    'control-plane/client.ts',
    'control-plane/contract',
    'control-plane/feature-sums/commands.ts',
    'control-plane/heap.ts',
    'control-plane/version.ts',
    'proto/base/closers.ts',
    'proto/figures',
    'proto/base/files.ts',
    'proto/words/findings.ts',
    'proto/load/shapes',
    'proto/base/plain-text.ts',
    'proto/base/secret.ts',
  ],
  'control-plane/mcp': [
    'control-plane/catalogue.ts',
    'control-plane/contract',
    'control-plane/feature-sums/fields.ts',
    'control-plane/handlers.ts',
    'control-plane/limits/budget.ts',
    'control-plane/operations',
    'control-plane/ports.ts',
  ],
  ...FEATURE_ROOMS,

  'control-plane/control-plane.ts': [
    'control-plane',
    'proto/base/closers.ts',
    'proto/base/files.ts',
    'proto/base/secret.ts',
  ],
  'control-plane/main.ts': [
    'control-plane/contract/plain-issues.ts',
    'control-plane/control-plane.ts',
    'control-plane/config.ts',
    'control-plane/heap.ts',
    'control-plane/lifetime.ts',
    'control-plane/version.ts',
    'proto/base/restart.ts',
  ],
  'control-plane/commands': ['control-plane', 'proto/check-result.ts', 'proto/base/closers.ts', 'proto/base/secret.ts'],

  scripts: ['control-plane', 'agent', 'media', 'proto'],
};

/**
 * The rooms that only compute. Parts of features that follow the rules of such a room are pure, too. `computing` has what they may
 * import of the platform.
 */
export const PURE: {
  readonly rooms: readonly string[];
  readonly except: readonly string[];
  readonly computing: Readonly<Record<string, readonly string[]>>;
} = {
  rooms: ['media', 'proto', 'control-plane/contract', 'control-plane/domain'],
  except: ['media/files', 'proto/base/files.ts', 'proto/base/restart.ts'],
  computing: {
    'node:crypto': ['createHash', 'createHmac', 'createPrivateKey', 'X509Certificate'],
    'node:net': ['BlockList', 'isIP', 'isIPv4', 'isIPv6'],
    'node:zlib': ['crc32', 'inflateSync', 'zstdCompressSync', 'zstdDecompressSync'],
  },
};
