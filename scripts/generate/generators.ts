/**
 * The files that `generate.ts` makes, by name of the generator, and the files that its result depends on besides the packages.
 */
const CODE = '{proto,media,agent,control-plane,scripts}/**/*.{ts,json}';

/** Each name -> the files that the generator reads or imports, and those that it writes. */
export const GENERATOR_FILES = {
  'sums of features': 'control-plane/{features.ts,feature-sums/*.ts,features/*/*.{ts,tsx}}',
  'wire code': '{proto/carillon/**/*.proto,proto/gen/*}',
  'table types':
    '{control-plane/store/{*,embedded/*}.ts,control-plane/store/migrations/*.sql,control-plane/features/*/store/*.{ts,sql},proto/figures/*.ts}',
  schemas: CODE,
  pages: `{${CODE},docs/{machines,reference/*}.md,control-plane/limits/README.md}`,
} as const;

export type GeneratorName = keyof typeof GENERATOR_FILES;
export const GENERATOR_NAMES = Object.keys(GENERATOR_FILES) as readonly GeneratorName[];
