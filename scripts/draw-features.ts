/**
 * The sums of the features: files `control-plane/feature-sums/*.ts`, each of which joins what the features that
 * `control-plane/features.ts` lists export from one of their files. As a program it writes them: the other generators import them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FEATURES } from '../control-plane/features.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** `type`: the sum is a list with an element of this type for each feature; otherwise it is an object. */
type Sum = {
  readonly of: string;
  readonly name: string;
  readonly says: string;
  readonly type?: readonly [name: string, file: string];
};

/** The file of a feature, and the sums of what it exports. A list has an element for each feature; other sums are objects. */
export const SUMS: Readonly<Record<string, readonly Sum[]>> = {
  'rows.ts': [
    { of: 'ROWS', name: 'FEATURE_ROWS', says: 'Operations of the API' },
    { of: 'BODIES', name: 'FEATURE_BODIES', says: 'Examples of their bodies' },
  ],
  'settings.ts': [
    { of: 'ENVIRONMENT', name: 'FEATURE_ENVIRONMENT', says: 'Environment variables' },
    { of: 'FAULTS', name: 'FEATURE_FAULTS', says: 'Faults of their values together' },
  ],
  'open.ts': [{ of: 'OPENERS', name: 'FEATURE_OPENERS', says: 'What opens the ports of features' }],
  'fields.ts': [
    { of: 'RUN_START_FIELDS', name: 'FEATURE_RUN_START_FIELDS', says: 'Fields of the request that starts a run' },
    { of: 'RUN_START_EXAMPLE', name: 'FEATURE_RUN_START_EXAMPLE', says: 'Examples of these fields' },
    { of: 'RUN_FIELDS', name: 'FEATURE_RUN_FIELDS', says: 'Fields of a run in full' },
    { of: 'EXECUTION_FIELDS', name: 'FEATURE_EXECUTION_FIELDS', says: 'Fields of an execution of a probe' },
    { of: 'WORKER_FIELDS', name: 'FEATURE_WORKER_FIELDS', says: 'Fields of a worker' },
  ],
  'formats.ts': [{ of: 'WEBHOOK_FORMATS', name: 'FEATURE_WEBHOOK_FORMATS', says: 'Formats of webhooks' }],
  'jobs.ts': [{ of: 'JOBS', name: 'FEATURE_JOBS', says: 'Entries of the catalogue of jobs' }],
  'server.ts': [
    { of: 'HANDLERS', name: 'FEATURE_HANDLERS', says: 'Handlers of operations' },
    { of: 'ENTRANCES', name: 'FEATURE_ENTRANCES', says: 'Handlers of operations that need no key' },
    { of: 'JOB_HANDLERS', name: 'FEATURE_JOB_HANDLERS', says: 'Handlers of jobs' },
    { of: 'LIMITS', name: 'FEATURE_LIMITS', says: 'Limits of requests' },
    { of: 'MACHINES', name: 'FEATURE_MACHINES', type: ['FeatureMachines', '../hooks.ts'], says: 'State machines' },
    {
      of: 'HOOKS',
      name: 'FEATURE_HOOKS',
      type: ['Hooks', '../ports.ts'],
      says: 'What features do at moments of the core',
    },
  ],
  'routes.ts': [
    {
      of: 'ROUTES',
      name: 'FEATURE_ROUTES',
      type: ['PublicRoutes', '../http/feature.ts'],
      says: 'Routes outside of the API',
    },
  ],
  'pages.tsx': [
    {
      of: 'PAGES',
      name: 'FEATURE_PAGES',
      type: ['FeaturePages', '../dashboard/feature.ts'],
      says: 'Parts of the dashboard',
    },
  ],
  'testing.ts': [
    {
      of: 'TEST_DATA',
      name: 'FEATURE_TEST_DATA',
      type: ['FeatureTestData', '../testing/feature-data.ts'],
      says: 'What tests of the core need, to cover features as well',
    },
  ],
  'commands.ts': [
    {
      of: 'COMMANDS',
      name: 'FEATURE_COMMANDS',
      type: ['FeatureCommands', '../cli/options.ts'],
      says: 'Commands of the command line',
    },
    {
      of: 'RUN_HOOKS',
      name: 'FEATURE_RUN_HOOKS',
      type: ['RunHooks', '../cli/options.ts'],
      says: 'What features do with runs of the command line',
    },
  ],
};

const NAMES = Object.keys(FEATURES);

/** The files as they would be written now. */
export const featureSums = (): [path: string, content: string][] =>
  Object.entries(SUMS).map(([file, sums]) => {
    const having = (name: string) => NAMES.filter((feature) => exportsOf(feature, file).includes(name));
    const imports = NAMES.flatMap((feature) => {
      const names = sums
        .filter(({ of }) => having(of).includes(feature))
        .map(({ of }) => `${of} as ${local(of, feature)}`);
      return names.length === 0 ? [] : [`import { ${names.join(', ')} } from '../features/${feature}/${file}';`];
    });
    const types = sums.flatMap(({ type }) => (type ? [`import type { ${type[0]} } from '${type[1]}';`] : []));
    const texts = sums.map(({ of, name, type, says }) => {
      const parts = having(of).map((feature) => local(of, feature));
      const value = type
        ? `: readonly ${type[0]}[] = [${parts.join(', ')}];`
        : ` = { ${parts.map((part) => `...${part}`).join(', ')} } as const;`;
      return `/** ${says}. */\nexport const ${name}${value}`;
    });
    const head = `/** What the features of features.ts have in ${file}. Generated: npm run generate. */`;
    return [
      `control-plane/feature-sums/${file.replace('.tsx', '.ts')}`,
      [head, ...imports, ...types, '', ...texts, ''].join('\n'),
    ];
  });

/** The values that a file of a feature exports; empty if it has no such file. */
export const exportsOf = (feature: string, file: string): string[] => {
  const at = path.join(ROOT, 'control-plane', 'features', feature, file);
  if (!existsSync(at)) return [];
  return [...readFileSync(at, 'utf8').matchAll(/^export (?:const|let|function|class) (\w+)/gm)].map(
    (match) => match[1] as string,
  );
};

const local = (name: string, feature: string): string => `${name}_OF_${feature.replaceAll('-', '_').toUpperCase()}`;

const PAGE = 'control-plane/features/README.md';
const BEGIN = '<!-- Generated from `features.ts` by `npm run generate`; do not edit. -->';

/** The page of all features, with its table as it would be written now: by name, as `features.ts` has no order. */
export function featuresPage(): [path: string, content: string] {
  const [before] = readFileSync(path.join(ROOT, PAGE), 'utf8').split(BEGIN);
  const rows = Object.entries(FEATURES)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, does]) => `| [\`${name}/\`](${name}/README.md) | ${does} |`);
  return [PAGE, `${before}${BEGIN}\n\n| folder | purpose |\n|---|---|\n${rows.join('\n')}\n`];
}

if (import.meta.main)
  for (const [file, content] of [...featureSums(), featuresPage()]) writeFileSync(path.join(ROOT, file), content);
