/** docs/reference/operations.md: the operations of the API and the tools of MCP. */
import { CATALOGUE } from '../../../control-plane/catalogue.ts';
import type { OperationRow } from '../../../control-plane/contract/catalogue.ts';
import { TOOLS } from '../../../control-plane/mcp/tools.ts';
import { code, HEAD, table } from './table.ts';

const BY = { SESSION: 'dashboard only', ANYONE: 'no key needed' } as const;

const rows = (isExtension: boolean): string[][] =>
  Object.values<OperationRow>(CATALOGUE)
    .filter((row) => (row.extension === true) === isExtension)
    .map((row) => [
      `\`${row.method} ${row.path}\``,
      row.summary,
      row.by === undefined ? row.role : row.by === 'ANYONE' ? BY.ANYONE : `${row.role}, ${BY.SESSION}`,
    ]);

const tools = Object.entries(TOOLS).map(([name, { operation, description }]) => [
  code(name),
  description,
  `\`GET ${CATALOGUE[operation].path}\``,
]);

export const operationsPage = (): string => `${HEAD}

# Operations

Paths are under \`/api/v1\`. *Role* is the least role that an operation needs. Parameters, bodies and answers are in the OpenAPI
document of your installation, at \`/api/v1/openapi.json\` and \`/api/reference\`.

## Published contract

These operations do not change incompatibly.

${table(['operation', 'what it does', 'role'], rows(false))}

## Extensions

Marked \`x-extension\` in the OpenAPI document.

${table(['operation', 'what it does', 'role'], rows(true))}

## MCP tools

${table(['tool', 'what it answers', 'operation'], tools)}
`;
