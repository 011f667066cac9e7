/** docs/reference/environment.md: every environment variable, from the schemas that read them. */
import * as z from 'zod';
import { Environment as Agent } from '../../../agent/config.ts';
import { Environment as ControlPlane } from '../../../control-plane/config.ts';
import { code, HEAD, sentence, table } from './table.ts';

type Property = { readonly default?: unknown; readonly description?: string };

/** A text that means true or false has its default after the conversion, so the schema of texts does not show it. */
const rows = (schema: z.ZodObject): string[][] => {
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const unset = schema.parse({});
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const { default: text, description = '' } = property as Property;
    const fallback = text ?? (typeof unset[name] === 'boolean' ? unset[name] : undefined);
    return [code(name), fallback === undefined ? 'none' : code(String(fallback)), sentence(description)];
  });
};

export const environmentPage = (): string => `${HEAD}

# Environment variables

An empty variable counts as not set. A wrong value stops the start, and the error names each variable that is wrong.

## Control plane

${table(['control plane', 'default', 'meaning'], rows(ControlPlane))}

## Agent

${table(['agent', 'default', 'meaning'], rows(Agent))}

The connection to the control plane also honours \`HTTPS_PROXY\`, \`HTTP_PROXY\`, \`ALL_PROXY\` and \`NO_PROXY\` (CONNECT).
`;
