/** docs/reference/errors.md: each error code of the API, with a heading that `error.docs` leads to. */
import { ERRORS } from '../../../control-plane/contract/errors.ts';
import { RUN_ERRORS } from '../../../control-plane/contract/run/run-errors.ts';
import { HEAD } from './table.ts';

const sections = Object.entries(ERRORS).map(
  ([code, { status, when, remedy }]) => `## ${code}\n\nHTTP ${status}. ${when}\n\n**What to do:** ${remedy}`,
);

const ofRuns = Object.entries(RUN_ERRORS).map(
  ([code, { when, remedy }]) => `### ${code}\n\n${when}\n\n**What to do:** ${remedy}`,
);

export const errorsPage = (): string => `${HEAD}

# Error codes

An error of the API is \`{ error: { code, message, details?, docs? }, meta: { requestId } }\`. \`message\` says what happened and how to correct it.
\`details\` lists each wrong value as \`{ path, message }\`. \`docs\` is the address of the code on this page, on the same server.
Programs decide by \`code\`: messages can change.

${sections.join('\n\n')}

## Why a run did not start

A run that did not start, or has no result, has one of these codes in its field \`error\`, with a message that names the part of the test.

${ofRuns.join('\n\n')}

## Errors of MCP

What a tool refuses is a readable error in its result (\`isError\`), which begins with one of these codes. Messages that are not a call of a tool get a
JSON-RPC error:

| code | when |
|---|---|
| \`-32700\` | the body is not JSON |
| \`-32600\` | the body is not a JSON-RPC request |
| \`-32601\` | the method does not exist |
| \`-32602\` | the tool does not exist, or the parameters do not have the form that the method requires |
| \`-32000\` | the key has used its requests of this minute; \`data.retryAfterSeconds\` says when to repeat the request |
`;
