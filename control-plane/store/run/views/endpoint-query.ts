/** The conditions that select rows of a run's endpoints and calls. */
import { sql } from 'kysely';
import { type Outcome, PHASES } from '../../../contract/run/words.ts';
import type { EndpointType } from '../../../contract/test-settings/words.ts';
import { cleanText, numbers } from '../../arrays.ts';
import type { Tx } from '../../db.ts';

export type EndpointQuery = {
  readonly outcome?: Outcome | undefined;
  readonly type?: EndpointType | undefined;
  readonly workerId?: string | undefined;
  readonly cause?: string | undefined;
  readonly sipStatus?: number | undefined;
  /** A part of the called address. */
  readonly number?: string | undefined;
  readonly callId?: string | undefined;
  readonly finding?: string | undefined;
  /** Only rows of calls, placed or planned in vain, and not endpoints without a call. */
  readonly isCall?: boolean | undefined;
  /** Only the calls of this endpoint. */
  readonly endpoint?: CallNumbers | undefined;
};

/** The calls of an endpoint: its own number, and then every further number at this distance. */
export type CallNumbers = { readonly number: number; readonly apart: number };

const CALLING = PHASES.indexOf('CALLING');
const CLOSED = PHASES.indexOf('CLOSED');
/** True if row `e` is a call; domain/sums/endpoint-calls.ts has the same rule for its kinds. */
export const isCall = sql<boolean>`(e.attempted or e.reached >= ${CALLING} and e.phase <> ${CLOSED}
  or e.endpoint_type = 'CALLER' and e.outcome <> 'SUCCESS')`;

/** The pattern of texts that contain this one. */
export const containing = (text: string): string => `%${cleanText(text).replaceAll(/[\\%_]/g, '\\$&')}%`;

/**
 * True of the calls of these endpoints. Their numbers are found in the key: a remainder would be computed of each call of
 * the run.
 */
export const ofEndpoints = (runId: string, apart: number, endpoints: readonly number[]) => sql<boolean>`
  e.number = any (array(
    select generate_series(first, (select max(number) from endpoints where run_id = ${runId}::uuid), ${apart}::int)
    from unnest(${numbers(endpoints)}::int[]) as f (first)))`;

/** The selected endpoints as row `e` of a statement. */
export const some = (tx: Tx, runId: string, f: EndpointQuery) =>
  tx
    .selectFrom('endpoints as e')
    .where('e.run_id', '=', runId)
    .$if(f.isCall === true, (q) => q.where(isCall))
    .$if(f.endpoint !== undefined, (q) => {
      const { number, apart } = f.endpoint as CallNumbers;
      return q.where(ofEndpoints(runId, apart, [number]));
    })
    .$if(f.outcome !== undefined, (q) => q.where('e.outcome', '=', f.outcome as Outcome))
    .$if(f.type !== undefined, (q) => q.where('e.endpoint_type', '=', f.type as EndpointType))
    .$if(f.workerId !== undefined, (q) => q.where('e.worker_id', '=', f.workerId as string))
    .$if(f.cause !== undefined, (q) => q.where('e.cause', '=', cleanText(f.cause as string)))
    .$if(f.number !== undefined, (q) => q.where('e.callee_uri', 'ilike', containing(f.number as string)))
    .$if(f.callId !== undefined, (q) => q.where('e.call_id', '=', cleanText(f.callId as string)))
    .$if(f.finding !== undefined, (q) =>
      q.where((eb) =>
        eb.exists(
          eb
            .selectFrom('findings as x')
            .whereRef('x.run_id', '=', 'e.run_id')
            .whereRef('x.endpoint_number', '=', 'e.number')
            .where('x.kind', '=', f.finding as string)
            .select('x.place'),
        ),
      ),
    )
    .$if(f.sipStatus !== undefined, (q) => {
      const status = f.sipStatus as number;
      return q.where((eb) => eb.or([eb('e.cause_status', '=', status), eb('e.final_status', '=', status)]));
    });

/**
 * The selected endpoints with `s`, what the streams of each received. They are found call by call: for a run that the statistics
 * do not know yet, PostgreSQL would compare each call with the streams of all.
 */
export const someWithStreams = (tx: Tx, runId: string, f: EndpointQuery) =>
  some(tx, runId, f).leftJoinLateral(
    (eb) =>
      eb
        .selectFrom('streams')
        .where('run_id', '=', runId)
        .whereRef('endpoint_number', '=', 'e.number')
        .select([sql<number | null>`min(mos)`.as('mos'), sql<number | null>`max(packets_received)`.as('received')])
        .as('s'),
    (join) => join.onTrue(),
  );

/** True: no row is left out, but those that are no calls. */
export const isAll = ({ isCall: _, ...filter }: EndpointQuery): boolean =>
  Object.values(filter).every((value) => value === undefined);
