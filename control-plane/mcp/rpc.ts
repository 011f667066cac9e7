/**
 * JSON-RPC 2.0, section 5.1: finds invalid messages, and requests in a form that their method does not have, before the
 * SDK reads them. The SDK answers some of them by codes that the specification has for something else. The refusal of a
 * tool is in its result (server.ts).
 */
import type { ServerResponse } from 'node:http';
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { printPath } from '../contract/errors.ts';

export const RPC = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  INVALID_PARAMS: -32602,
  /** The code is in the range that is left to servers. */
  REFUSED: -32000,
} as const;

/** The SDK answers with an error's own `code` and `data`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: object | undefined;
  constructor(code: number, message: string, data?: object) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Fault = { readonly status: 200 | 400; readonly id: string | number | null; readonly error: RpcError };

const SCHEMAS = {
  initialize: InitializeRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
} as const;

/** `body`: the parsed body. Null: it can be answered. */
export function faultOf(body: unknown): Fault | null {
  if (!Array.isArray(body)) return faultOfMessage(body);
  if (body.length === 0) return notRequest(null, 'The list of messages is empty.');
  for (const message of body) {
    const fault = faultOfMessage(message);
    if (fault) return fault;
  }
  return null;
}

const notRequest = (id: Fault['id'], message: string): Fault => ({
  status: 400,
  id,
  error: new RpcError(RPC.INVALID_REQUEST, `This is not a JSON-RPC 2.0 request: ${message}`),
});

function faultOfMessage(message: unknown): Fault | null {
  if (message === null || typeof message !== 'object' || Array.isArray(message))
    return notRequest(null, 'A message is an object.');
  const { jsonrpc, method, id } = message as { jsonrpc?: unknown; method?: unknown; id?: unknown };
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (jsonrpc !== '2.0') return notRequest(known, 'jsonrpc must be "2.0".');
  if (id !== undefined && known === null) return notRequest(null, 'id must be a string or a number.');
  const isAnswer = 'result' in message || 'error' in message;
  if (!isAnswer && typeof method !== 'string') return notRequest(known, 'method must be the name of a method.');
  if (known !== null && Object.hasOwn(SCHEMAS, method as string)) {
    const parsed = SCHEMAS[method as keyof typeof SCHEMAS].safeParse(message);
    const [first] = parsed.error?.issues ?? [];
    if (first) {
      const error = new RpcError(RPC.INVALID_PARAMS, `${printPath(first.path)}: ${first.message}.`);
      return { status: 200, id: known, error };
    }
  }
  if (!JSONRPCMessageSchema.safeParse(message).success)
    return notRequest(known, 'It has fields that none has, or lacks one.');
  return null;
}

export const unparsed = (message: string): Fault => ({
  status: 400,
  id: null,
  error: new RpcError(RPC.PARSE_ERROR, message),
});

export function answerFault(response: ServerResponse, { status, id, error: { code, message } }: Fault): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
}
