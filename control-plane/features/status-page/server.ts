/** What status pages add to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import { getStatusPage, updateStatusPage } from './operations/status-page.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = { getStatusPage, updateStatusPage };
