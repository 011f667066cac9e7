/**
 * The OpenAPI document in version 3.0, for generators that do not read 3.1. Most of its differences are in the routes'
 * schemas themselves (zod writes both dialects); this file adds what the parsers of such generators also need.
 */
type Json = Record<string, unknown>;

type Schemas = Readonly<Record<string, Json>>;

/** `nullable` counts only together with a `type` (3.0.3, section 4.7.24.1); for a reference, this is the type of its target. */
function typeOf({ type, $ref, allOf, anyOf, oneOf }: Json, schemas: Schemas): unknown {
  if (type !== undefined) return type;
  if (typeof $ref === 'string') return typeOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas);
  const [first] = (allOf ?? anyOf ?? oneOf ?? []) as readonly Json[];
  return first && typeOf(first, schemas);
}

/** `default: null` is valid together with `nullable`, but old parsers refuse it. An absent field means the same. */
function readable(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((one) => readable(one, schemas));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([key, held]) => key !== 'default' || held !== null);
  const made = entries.map(([key, held]) => [key, key === 'example' ? held : readable(held, schemas)]);
  const type = 'nullable' in value ? typeOf(value as Json, schemas) : undefined;
  return { ...Object.fromEntries(made), ...(type !== undefined && { type }) };
}

/**
 * The variants of unions with a discriminator, with their tag as plain text: generated clients write the tag from the
 * mapping, as a text, into a field that would otherwise have an enumeration of one value as its type.
 */
function withPlainTags(schemas: Schemas): Record<string, Json> {
  const all = { ...schemas };
  for (const { discriminator } of Object.values(schemas)) {
    if (discriminator === undefined) continue;
    const { propertyName, mapping } = discriminator as { propertyName: string; mapping: Record<string, string> };
    for (const reference of Object.values(mapping)) {
      const name = reference.slice(reference.lastIndexOf('/') + 1);
      const variant = all[name] as { properties: Json };
      all[name] = { ...variant, properties: { ...variant.properties, [propertyName]: { type: 'string' } } };
    }
  }
  return all;
}

export function forOldGenerators<T extends { components?: { schemas?: Record<string, Json> } }>(document: T): T {
  const schemas = withPlainTags(document.components?.schemas ?? {});
  return readable({ ...document, components: { ...document.components, schemas } }, schemas) as T;
}
