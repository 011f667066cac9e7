/** The filters of calls: from the address to the API. Pure. */
import type { CallInput } from '../../../../contract/call.ts';
import { FAILED_OUTCOMES } from '../../../../contract/run/words.ts';
import { type PeriodSearch, pageOf, spanOf } from '../../basics/periods.ts';
import { calledQueryOf } from '../../call/endpoint-search.ts';

/** The filters as they are in the address. `code` is a SIP status, `result` is of `RESULT_CHOICES`. */
export type CallSearch = PeriodSearch & {
  readonly test?: string | undefined;
  readonly result?: string | undefined;
  readonly code?: string | undefined;
  readonly cause?: string | undefined;
  readonly number?: string | undefined;
  readonly callId?: string | undefined;
  readonly worker?: string | undefined;
  /** The search of more runs than one request looks at goes on from here: an instant of the API. */
  readonly older?: string | undefined;
  readonly page?: string | undefined;
};

/** The rows of a page of the list. */
export const FOUND_PAGE_ROWS = 25;

type CallsQuery = Omit<CallInput<'listCalls'>, 'projectId' | 'per_page'>;

export const RESULT_CHOICES = [
  { value: 'failed', label: 'Failed' },
  { value: 'good', label: 'Good' },
];

export const isCode = (text: string): boolean => /^[1-6]\d\d$/.test(text);

/** The query of an address. Invalid values are ignored, since addresses are typed by hand. */
export function callsQueryOf(search: CallSearch, nowMs: number): CallsQuery {
  return {
    ...(search.result === 'failed' && { outcome: FAILED_OUTCOMES }),
    ...(search.result === 'good' && { outcome: ['SUCCESS' as const] }),
    ...(search.test && { test_id: search.test.slice(0, 100) }),
    ...(isCode(search.code ?? '') && { sip_status: Number(search.code) }),
    ...(search.cause && { cause: search.cause.slice(0, 60) }),
    ...calledQueryOf(search),
    ...(search.worker && { worker_id: search.worker.slice(0, 100) }),
    ...(!Number.isNaN(Date.parse(search.older ?? '')) && { submitted_to: new Date(search.older ?? '').toISOString() }),
    ...spanOf(search, nowMs),
    page: pageOf(search.page),
  };
}

export const isFiltered = (search: CallSearch, nowMs: number): boolean => {
  const { page: _, ...rest } = callsQueryOf(search, nowMs);
  return Object.keys(rest).length > 0;
};
