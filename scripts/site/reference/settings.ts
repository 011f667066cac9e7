/** docs/reference/settings.md: every field of the provisioning file, from its schema. */
import { provisionJsonSchema } from '../../../control-plane/contract/provision.ts';
import { code, HEAD, sentence, table } from './table.ts';

type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
};
type Root = Schema & { readonly $defs: Readonly<Record<string, Schema>> };

/** The objects that have a table of their own, by their path in the file. */
const TITLES: Readonly<Record<string, string>> = {
  organizations: 'Organization',
  'organizations.users': 'User',
  'organizations.apiKeys': 'API key',
  'organizations.workers': 'Worker',
  'organizations.projects': 'Project',
  'organizations.projects.registrars': 'Registrar or trunk',
  'organizations.projects.registrars.tls': 'TLS',
  'organizations.projects.registrars.sipAccounts': 'SIP account',
  'organizations.projects.tests': 'Test',
  'organizations.projects.tests.groups': 'Group',
  'organizations.projects.tests.groups.callee': 'Callee',
  'organizations.projects.tests.groups.placement': 'Placement',
  'organizations.projects.tests.groups.subPopulations': 'Sub-population',
  'organizations.projects.tests.groups.mediaTracks': 'Media track',
  'organizations.projects.tests.thresholds': 'Threshold',
  'organizations.projects.probes': 'Probe',
  'organizations.projects.probes.thresholds': 'Threshold',
  'organizations.projects.probes.test': 'Call of a probe',
  'organizations.projects.probes.test.callee': 'Callee',
  'organizations.projects.probes.test.placement': 'Placement',
  'organizations.projects.webhooks': 'Webhook',
};

const root = provisionJsonSchema() as Root;

const resolved = (schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : { ...root.$defs[name], ...schema };
};
const branches = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? [];
const linkTo = (title: string): string => `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`;

function typeOf(schema: Schema, path: string): string {
  const title = TITLES[path];
  const own = resolved(schema);
  if (schema.$ref !== undefined) return linkTo(schema.$ref.split('/').at(-1) as string);
  if (title !== undefined) return own.type === 'array' ? `list of ${linkTo(title)}` : linkTo(title);
  if (own.const !== undefined) return code(String(own.const));
  if (own.enum) return own.enum.map((one) => code(String(one))).join(', ');
  if (branches(own).length > 0) return [...new Set(branches(own).map((one) => typeOf(one, '')))].join(' or ');
  if (own.type === 'array') return `list of ${own.items ? typeOf(own.items, '') : 'anything'}`;
  if (own.type === 'object' && own.properties) return `{ ${Object.keys(own.properties).join(', ')} }`;
  return `${own.type ?? 'anything'}${rangeOf(own)}`;
}

const WIDEST = 2 ** 53 - 1;
function rangeOf({ minimum, maximum }: Schema): string {
  const most = maximum === undefined || maximum >= WIDEST ? undefined : maximum;
  if (minimum === undefined && most === undefined) return '';
  return most === undefined ? `, from ${minimum}` : `, ${minimum ?? 'at most'} to ${most}`;
}

function rowsOf(schema: Schema, path: string): string[][] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, one]) => {
    const own = resolved(one);
    const isRequired = required.includes(name) && own.default === undefined;
    const fallback = own.default === undefined ? '' : code(JSON.stringify(own.default));
    const at = path === '' ? name : `${path}.${name}`;
    return [code(name), typeOf(one, at), isRequired ? 'required' : fallback, sentence(own.description ?? '')];
  });
}

const COLUMNS = ['field', 'type', 'default', 'meaning'];

/** The kinds of object that a field, or its list, may contain. */
function objectsOf(schema: Schema): Schema[] {
  const own = resolved(schema);
  const object = resolved(own.items ?? own);
  return [object, ...branches(object).map(resolved)].filter(({ properties }) => properties !== undefined);
}

const at = (path: string): Schema[] =>
  path
    .split('.')
    .reduce<Schema[]>(
      (objects, name) => objectsOf(objects.find(({ properties }) => properties?.[name])?.properties?.[name] ?? {}),
      [root],
    );

const section = (title: string, objects: readonly Schema[], path: string, said = ''): string =>
  [
    `## ${title}`,
    ...(said === '' ? [] : [`${sentence(said)}.`]),
    ...objects.map((one) => table(COLUMNS, rowsOf(one, path))),
  ].join('\n\n');

export const settingsPage = (): string => `${HEAD}

# Settings

Every field of the [provisioning file](../guide/provisioning.md). Tests in the dashboard's YAML editor and in the API have the same
fields; the API refers to other objects by id instead of by slug. Where an object has several kinds, each has its own table.

${Object.entries(TITLES)
  .filter(([path, title], i, all) => at(path).length > 0 && all.findIndex((one) => one[1] === title) === i)
  .map(([path, title]) => section(title, at(path), path))
  .join('\n\n')}

${Object.entries(root.$defs)
  .map(([name, schema]) => section(name, objectsOf(schema), '', schema.description))
  .join('\n\n')}
`;
