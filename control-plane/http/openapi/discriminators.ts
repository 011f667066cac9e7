/**
 * Unions in the OpenAPI document, for code generators: if the variants of a named schema differ by the value of one
 * property, each variant gets a name of its own, and the union a `discriminator` (OpenAPI 3.1, section 4.8.25).
 */
type Json = Record<string, unknown>;
type Schemas = Readonly<Record<string, Json>>;

const PREFIX = '#/components/schemas/';

/** The one value that a property may have; undefined: it may have several. */
function onlyValue(schema: Json | undefined): string | undefined {
  const values = schema?.['enum'];
  const value = schema?.['const'] ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined);
  return typeof value === 'string' ? value : undefined;
}

const propertiesOf = (variant: Json): Schemas => (variant['properties'] ?? {}) as Schemas;

/** The property by which all variants differ; undefined: no such property. */
function tagOf(variants: readonly Json[]): string | undefined {
  const [first = {}] = variants;
  return Object.keys(propertiesOf(first)).find((name) => {
    const values = variants.map((variant) => onlyValue(propertiesOf(variant)[name]));
    return !values.includes(undefined) && new Set(values).size === variants.length;
  });
}

/** SEND_DTMF becomes SendDtmf. */
const pascal = (value: string): string =>
  value.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The schemas, with their variants added. */
export function discriminated(schemas: Schemas): Record<string, Json> {
  const all: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    all[name] = schema;
    const variants = schema['oneOf'];
    const propertyName = Array.isArray(variants) ? tagOf(variants) : undefined;
    if (propertyName === undefined) continue;
    const mapping: Record<string, string> = {};
    for (const variant of variants as Json[]) {
      const value = onlyValue(propertiesOf(variant)[propertyName]) ?? '';
      mapping[value] = `${PREFIX}${name}${pascal(value)}`;
      all[`${name}${pascal(value)}`] = variant;
    }
    const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
    all[name] = { ...schema, oneOf, discriminator: { propertyName, mapping } };
  }
  return all;
}
