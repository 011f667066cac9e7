/** The rooms of features (control-plane/features): no room of the core may import a feature, only the sums of all. */

/** The sums, and what joins them to the core. */
export const FEATURE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  'control-plane/features.ts': [],
  'control-plane/feature-sums/commands.ts': ['control-plane/features', 'control-plane/cli/options.ts'],
  'control-plane/feature-sums/fields.ts': ['control-plane/features'],
  'control-plane/feature-sums/formats.ts': ['control-plane/features'],
  'control-plane/feature-sums/jobs.ts': ['control-plane/features'],
  'control-plane/feature-sums/pages.ts': ['control-plane/features', 'control-plane/dashboard/feature.ts'],
  'control-plane/feature-sums/routes.ts': ['control-plane/features', 'control-plane/http/feature.ts'],
  'control-plane/feature-sums/open.ts': ['control-plane/features'],
  'control-plane/feature-sums/settings.ts': ['control-plane/features'],
  'control-plane/feature-sums/rows.ts': ['control-plane/features'],
  'control-plane/feature-sums/server.ts': [
    'control-plane/features',
    'control-plane/hooks.ts',
    'control-plane/ports.ts',
  ],
  'control-plane/feature-sums/testing.ts': ['control-plane/features'],
  'control-plane/catalogue.ts': ['control-plane/contract/catalogue.ts', 'control-plane/feature-sums/rows.ts'],
  'control-plane/client.ts': ['control-plane/catalogue.ts', 'control-plane/contract/call.ts'],
  'control-plane/feature-ports.ts': [
    'control-plane/config.ts',
    'control-plane/feature-sums/open.ts',
    'control-plane/ports.ts',
  ],
  'control-plane/handlers.ts': [
    'control-plane/feature-sums/server.ts',
    'control-plane/operations',
    'control-plane/ports.ts',
  ],
  'control-plane/job-catalogue.ts': [
    'control-plane/feature-sums/jobs.ts',
    'control-plane/ports.ts',
    'control-plane/queue',
  ],
};

/** The room of the core whose rules a part of a feature (control-plane/features) follows. Folders have their room's name. */
export const ROOM_OF_PART: Readonly<Record<string, string>> = {
  'rows.ts': 'contract',
  'fields.ts': 'contract',
  'formats.ts': 'contract',
  'jobs.ts': 'queue',
  'server.ts': 'operations',
  'routes.ts': 'http',
  'pages.tsx': 'dashboard',
  'commands.ts': 'cli',
  'settings.ts': 'config.ts',
  'open.ts': 'control-plane.ts',
  'ports.ts': 'ports.ts',
  'testing.ts': 'testing',
};
