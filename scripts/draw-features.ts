/**
 * The sums of the features: files `control-plane/features.*.ts`, each of which joins what the features that
 * `control-plane/features.ts` lists export from one of their files. As a program it writes them: the other generators import them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FEATURES } from '../control-plane/features.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

type Sum = { readonly of: string; readonly name: string; readonly isList?: true; readonly says: string };

/** The file of a feature, and the sums of what it exports. A list has an element for each feature; other sums are objects. */
const SUMS: Readonly<Record<string, readonly Sum[]>> = {
  'rows.ts': [
    { of: 'ROWS', name: 'FEATURE_ROWS', says: 'Operations of the API' },
    { of: 'BODIES', name: 'FEATURE_BODIES', says: 'Examples of their bodies' },
  ],
  'jobs.ts': [{ of: 'JOBS', name: 'FEATURE_JOBS', says: 'Entries of the catalogue of jobs' }],
  'server.ts': [
    { of: 'HANDLERS', name: 'FEATURE_HANDLERS', says: 'Handlers of operations' },
    { of: 'JOB_HANDLERS', name: 'FEATURE_JOB_HANDLERS', says: 'Handlers of jobs' },
    { of: 'MACHINES', name: 'FEATURE_MACHINES', isList: true, says: 'State machines' },
    { of: 'HOOKS', name: 'FEATURE_HOOKS', isList: true, says: 'What features do at moments of the core' },
  ],
  'pages.tsx': [{ of: 'PAGES', name: 'FEATURE_PAGES', isList: true, says: 'Parts of the dashboard' }],
  'commands.ts': [{ of: 'COMMANDS', name: 'FEATURE_COMMANDS', isList: true, says: 'Commands of the command line' }],
};

/** The files as they would be written now. */
export const featureSums = (): [path: string, content: string][] =>
  Object.entries(SUMS).map(([file, sums]) => {
    const having = (name: string) => FEATURES.filter((feature) => exportsOf(feature, file).includes(name));
    const imports = FEATURES.flatMap((feature) => {
      const names = sums
        .filter(({ of }) => having(of).includes(feature))
        .map(({ of }) => `${of} as ${local(of, feature)}`);
      return names.length === 0 ? [] : [`import { ${names.join(', ')} } from './features/${feature}/${file}';`];
    });
    const texts = sums.map(({ of, name, isList, says }) => {
      const parts = having(of).map((feature) => local(of, feature));
      const value = isList ? `[${parts.join(', ')}]` : `{ ${parts.map((part) => `...${part}`).join(', ')} }`;
      return `/** ${says}. */\nexport const ${name} = ${value} as const;`;
    });
    const head = `/** What the features of features.ts have in ${file}. Generated: npm run generate. */`;
    return [`control-plane/features.${path.parse(file).name}.ts`, [head, ...imports, '', ...texts, ''].join('\n')];
  });

const exportsOf = (feature: string, file: string): string[] => {
  const at = path.join(ROOT, 'control-plane', 'features', feature, file);
  if (!existsSync(at)) return [];
  return [...readFileSync(at, 'utf8').matchAll(/^export const (\w+)/gm)].map((match) => match[1] as string);
};

const local = (name: string, feature: string): string => `${name}_OF_${feature.replaceAll('-', '_').toUpperCase()}`;

if (import.meta.main) for (const [file, content] of featureSums()) writeFileSync(path.join(ROOT, file), content);
