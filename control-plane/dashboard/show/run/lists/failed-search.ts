/** The filters of failed calls: from the address to the API. Pure. */
import type { CallInput } from '../../../../contract/call.ts';
import { type PeriodSearch, pageOf, spanOf } from '../../basics/periods.ts';

/** The filters as they are in the address. `code` is a SIP status. */
export type FailedSearch = PeriodSearch & {
  readonly test?: string | undefined;
  readonly code?: string | undefined;
  readonly cause?: string | undefined;
  readonly number?: string | undefined;
  readonly callId?: string | undefined;
  readonly worker?: string | undefined;
  readonly page?: string | undefined;
};

type FailedCallsQuery = Omit<CallInput<'listFailedCalls'>, 'projectId' | 'per_page'>;

export const isCode = (text: string): boolean => /^[1-6]\d\d$/.test(text);

/** The query of an address. Invalid values are ignored, since addresses are typed by hand. */
export function failedCallsQueryOf(search: FailedSearch, nowMs: number): FailedCallsQuery {
  const text = (name: 'number' | 'callId', most: number) => search[name]?.trim().slice(0, most) || undefined;
  const [number, callId] = [text('number', 200), text('callId', 1000)];
  return {
    ...(search.test && { test_id: search.test.slice(0, 100) }),
    ...(isCode(search.code ?? '') && { sip_status: Number(search.code) }),
    ...(search.cause && { cause: search.cause.slice(0, 60) }),
    ...(number && { number }),
    ...(callId && { call_id: callId }),
    ...(search.worker && { worker_id: search.worker.slice(0, 100) }),
    ...spanOf(search, nowMs),
    page: pageOf(search.page),
  };
}

export const isFiltered = (search: FailedSearch, nowMs: number): boolean => {
  const { page: _, ...rest } = failedCallsQueryOf(search, nowMs);
  return Object.keys(rest).length > 0;
};
