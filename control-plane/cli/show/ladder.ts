/** `carillon ladder CALL`: shows the messages of one call on the terminal. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import type { Output } from '../../contract/catalogue.ts';
import { EXIT, type ExitCode, usage } from '../exit-codes.ts';
import { type Io, painter, widthOf } from '../io.ts';
import { type Api, everyRow, Refused } from '../session/api.ts';
import { findRun, lastRuns } from '../session/runs.ts';
import { type LadderLine, ladderOf } from './ladder-picture.ts';

export type LadderOptions = { readonly run?: string; readonly full?: boolean };

type Endpoint = Output<'getTestRunEndpoint'>;
type FoundCall = { readonly testRunId: string; readonly endpoint: Endpoint };

/** The number of last runs in which a call is searched by its id. */
const RUNS_SEARCHED = 20;
/** The maximum number of messages that are fetched in full for the reason phrases of their responses. */
const MAX_READ = 60;
const AT_ONCE = 6;

export async function ladderCommand(io: Io, api: Api, reference: string, options: LadderOptions): Promise<ExitCode> {
  const { id: projectId } = await api.project();
  const { testRunId, endpoint } = await findCall(api, reference, options.run);
  const ref = { projectId, testRunId };
  const messages = await everyRow(api.call, 'listTestRunMessages', { ...ref, endpoint_id: endpoint.id });
  const paint = painter(io.out, io.env);
  const { number, endpointType, outcome, failure, calleeUri, callId } = endpoint;
  const why = failure
    ? `: ${failure.cause}${failure.sipStatus === null ? '' : ` ${failure.sipStatus}`} ${failure.reason}`
    : '';
  const to = endpointType === 'CALLER' ? ` to ${calleeUri}` : '';
  io.out.write(`${paint('bold', `Call ${number}${plain(to)}`)}  ${outcome ?? 'in progress'}${plain(why)}\n`);
  io.out.write(`${paint('dim', plain(callId ?? 'no Call-ID'))}\n\n`);
  if (messages.length === 0) throw usage('No messages of this call are stored.');
  const texts = await textsOf(
    api,
    ref,
    options.full ? messages : messages.slice(0, MAX_READ).filter((m) => m.statusCode !== null),
  );
  const nameOf = (m: LadderLine) =>
    m.statusCode === null
      ? m.method
      : (/^SIP\/2\.0 (\d{3}[^\r\n]*)/.exec(texts.get(m.id) ?? '')?.[1] ?? String(m.statusCode));
  io.out.write(`${ladderOf(messages, endpointType, nameOf, widthOf(io.out), paint).join('\n')}\n`);
  if (options.full)
    for (const m of messages) {
      const lines = (texts.get(m.id) ?? '(not readable)').split(/\r?\n/).map(plain);
      io.out.write(`\n${paint('bold', `${m.direction} ${m.at} ${plain(m.peer)}`)}\n${lines.join('\n')}\n`);
    }
  return EXIT.GOOD;
}

async function textsOf(api: Api, ref: { projectId: string; testRunId: string }, messages: readonly LadderLine[]) {
  const texts = new Map<string, string>();
  for (let from = 0; from < messages.length; from += AT_ONCE) {
    const read = messages
      .slice(from, from + AT_ONCE)
      .map(({ id }) => api.call('getTestRunMessage', { ...ref, messageId: id }));
    for (const { id, text } of await Promise.all(read)) texts.set(id, text ?? '');
  }
  return texts;
}

/** Finds a call by its id, its Call-ID, the number of its endpoint, or `worst`, in the last run or the named one. */
async function findCall(api: Api, reference: string, run: string | undefined): Promise<FoundCall> {
  const { id: projectId } = await api.project();
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(reference);
  if (isId && run === undefined) {
    for (const { id } of await lastRuns(api, RUNS_SEARCHED, () => true)) {
      const found = await endpointOf(api, projectId, id, reference);
      if (found !== null) return { testRunId: id, endpoint: found };
    }
    throw usage(`None of the last ${RUNS_SEARCHED} runs has the call ${reference}: name its run with --run.`);
  }
  const { id: testRunId } = await findRun(api, run ?? 'last');
  const endpointId = isId ? reference : await idOf(api, projectId, testRunId, reference);
  const endpoint = endpointId === null ? null : await endpointOf(api, projectId, testRunId, endpointId);
  if (endpoint === null)
    throw usage(`Run ${testRunId} has no call ${JSON.stringify(reference)}: an id, a Call-ID, a number or worst.`);
  return { testRunId, endpoint };
}

const endpointOf = (api: Api, projectId: string, testRunId: string, endpointId: string): Promise<Endpoint | null> =>
  api.call('getTestRunEndpoint', { projectId, testRunId, endpointId }).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  });

async function idOf(api: Api, projectId: string, testRunId: string, reference: string): Promise<string | null> {
  const ref = { projectId, testRunId };
  if (reference === 'worst') {
    const { rows } = await api.call('listTestRunEndpoints', { ...ref, order: 'worst', per_page: 1 });
    return rows[0]?.id ?? null;
  }
  if (/^\d+$/.test(reference)) {
    const rows = await everyRow(api.call, 'listTestRunEndpoints', ref);
    return rows.find(({ number }) => number === Number(reference))?.id ?? null;
  }
  const { rows } = await api.call('listTestRunMessages', { ...ref, call_id: reference, per_page: 1 });
  return rows[0]?.endpointId ?? null;
}
