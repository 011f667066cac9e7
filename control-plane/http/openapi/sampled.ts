/** Examples of answers made from their schemas, so that they include a new field without a change of examples. Pure. */

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

const PREFIX = '#/components/schemas/';
const MAX_DEPTH = 12;
const AT = '2026-01-31T12:00:00.000Z';
const UUID = '01a21875-0b87-736c-b6f1-721d8ee17d87';

/** The text is chosen by the name of the field: the first match counts. */
const TEXTS: readonly (readonly [name: RegExp, value: string])[] = [
  [/^(id|requestId|.*Id|.*Ids)$/, UUID],
  [/(At|from|to|until|Until|submitted)$/, AT],
  [/^slug$/, 'contact-center'],
  [/^organizationName$/, 'Acme Telecom'],
  [/^projectName$/, 'Contact center'],
  [/^testName$/, 'Calls to the queue'],
  [/^probeName$/, 'Front door (eu-west)'],
  [/^(displayName|title)$/, 'MOS, mean'],
  [/^(name|label)$/, 'Contact center'],
  [/(uri|Uri|assertedIdentity)$/, 'sip:9000@pbx.example.org'],
  [/^gateways$/, 'sip:pbx-2.example.org'],
  [/^(url|docs|website)$/, 'https://carillon.example.org/'],
  [/^email$/, 'operator@example.org'],
  [/^region$/, 'eu-west'],
  [/^(timezone|timeZone)$/, 'Europe/Paris'],
  [/^(username|authName|number)$/, '1001'],
  [/^(domain|host)$/, 'pbx.example.org'],
  [/^codec|Codecs$/, 'PCMU'],
  [/^unit$/, 'ms'],
  [/^abortOn$/, 'successShare<90 for 30s'],
  [/^(remote|peer|address|local|sourceAddress)$/, '192.0.2.10:5060'],
  [/^callId$/, 'a84b4c76e66710@192.0.2.1'],
  [/^(reason|reasonPhrase|finalReasonPhrase|reasonText)$/, 'Busy Here'],
  [/^(sentence|message|explanation|lastMessage|note|says|error)$/, 'Every limit was met.'],
  [/^description$/, 'Tests before each release'],
  [/^method$/, 'INVITE'],
  [/^metricKey$/, 'avgMos'],
  [/^createdBy|acknowledgedBy|actor$/, 'Operator'],
  [/^version$/, '1.0.0'],
  [/^sha256$/, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [/^secret$/, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
];

/** Texts for fields whose names do not determine one. */
const OTHERWISE = ['HOST', '1234', 'X-Test', '12:00', 'text'];
/** Parts whose rules are not in a schema. */
const WHOLE: Readonly<Record<string, object>> = {
  overrides: { callsPerSecond: 20, seconds: 60 },
  labels: { commit: '4f2a9c1', branch: 'main' },
};

const NUMBERS: readonly (readonly [name: RegExp, value: number])[] = [
  [/^(page|version|attempts|probeCount|totalPages|call)$/, 1],
  [/^perPage$/, 25],
  [/(Mos|mos)$/, 4.36],
  [/RFactor$/, 92],
  [/(asr|ner|Share|percent|Percent|percentage)$/, 99],
  [/Fraction$/, 0.001],
  [/(Ms|p50|p95|p99|avg|min|max|rtt|jitter)$/i, 42],
  [/(status|Status|statusCode|finalStatusCode)$/, 200],
  [/(Seconds|Sec)$/, 30],
  [/(Bytes)$/, 16044],
];

const fitting = <T>(table: readonly (readonly [RegExp, T])[], name: string): T | undefined =>
  table.find(([pattern]) => pattern.test(name))?.[1];

const within = (value: number, { minimum, maximum, exclusiveMinimum }: Schema, isWhole: boolean): number => {
  const least = Number(minimum ?? exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const bounded = Math.min(Math.max(value, least), Number(maximum ?? Number.POSITIVE_INFINITY));
  return isWhole ? Math.ceil(bounded) : bounded;
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': AT,
  uuid: UUID,
  date: '2026-01-31',
  email: 'operator@example.org',
  uri: 'https://carillon.example.org/',
};

function textOf(schema: Schema, name: string): string {
  const format = FORMATS[String(schema['format'])];
  const { pattern } = schema;
  const isRight = (text: string) => typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
  const named = format ?? fitting(TEXTS, name) ?? 'text';
  return [named, ...OTHERWISE].find(isRight) ?? named;
}

/** A record whose keys are known. */
function recordOf({ propertyNames, required, additionalProperties }: Schema): Schemas {
  const keys = (propertyNames as Schema | undefined)?.['enum'] ?? required ?? [];
  return Object.fromEntries((keys as string[]).map((key) => [key, additionalProperties as Schema]));
}

/** A value that the schema allows. */
export function sampled(schema: Schema, schemas: Schemas, name = '', depth = 0): unknown {
  const whole = WHOLE[name];
  if (whole) return whole;
  const reference = schema['$ref'];
  if (typeof reference === 'string' && reference.startsWith(PREFIX))
    return sampled(schemas[reference.slice(PREFIX.length)] ?? {}, schemas, name, depth + 1);
  if ('example' in schema) return schema['example'];
  if ('const' in schema) return schema['const'];
  const [choice] = (schema['enum'] as unknown[] | undefined) ?? [];
  if (choice !== undefined) return choice;
  const ways = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (ways) {
    const isNull = (way: Schema) => way['type'] === 'null';
    const way = depth > MAX_DEPTH ? (ways.find(isNull) ?? ways[0]) : (ways.find((one) => !isNull(one)) ?? ways[0]);
    return sampled(way as Schema, schemas, name, depth + 1);
  }
  const parts = schema['allOf'] as Schema[] | undefined;
  if (parts) return Object.assign({}, ...parts.map((part) => sampled(part, schemas, name, depth + 1)));
  const { type } = schema;
  return typed(Array.isArray(type) ? type.find((one) => one !== 'null') : type, schema, schemas, name, depth);
}

function typed(type: unknown, schema: Schema, schemas: Schemas, name: string, depth: number): unknown {
  switch (type) {
    case 'string':
      return textOf(schema, name);
    case 'integer':
    case 'number':
      return within(fitting(NUMBERS, name) ?? 12, schema, type === 'integer');
    case 'boolean':
      return true;
    case 'array': {
      const fixed = (schema['prefixItems'] ?? (Array.isArray(schema['items']) ? schema['items'] : undefined)) as
        | Schema[]
        | undefined;
      if (fixed) return fixed.map((item) => sampled(item, schemas, name, depth + 1));
      if (depth > MAX_DEPTH || schema['maxItems'] === 0 || schema['items'] === undefined) return [];
      const item = sampled(schema['items'] as Schema, schemas, name, depth + 1);
      return Array.from({ length: Number(schema['minItems'] ?? 0) || 1 }, () => item);
    }
    case 'object': {
      const properties = Object.entries((schema['properties'] ?? recordOf(schema)) as Schemas);
      return Object.fromEntries(properties.map(([key, one]) => [key, sampled(one, schemas, key, depth + 1)]));
    }
    case 'null':
      return null;
    default:
      return {};
  }
}
