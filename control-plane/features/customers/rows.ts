/** The operations about customers, which are the organizations of an installation, and about use by project and month. */
import * as z from 'zod';
import { Page } from '../../contract/envelope.ts';
import type { OperationRow } from '../../contract/row.ts';
import { Customer, CustomerChange, CustomerTotals, InvitedOwner, NewCustomer, NewOwner } from './contract/customer.ts';
import { Month, Months, Usage } from './contract/usage.ts';

const CSV = 'text/csv; charset=utf-8';

const customerId = z.string().describe('organization id');

/** Operations on the whole organization, for its OWNERs. */
const own = { role: 'OWNER', whole: true, status: 200 } as const;
/** Operations on all organizations, for the owner of the installation. */
const all = { ...own, installation: true } as const;
const read = { method: 'GET', extension: true } as const;
const change = { ...all, by: 'SESSION', proof: true, answers: 'single' } as const;

export const ROWS = {
  listCustomers: {
    ...all,
    ...read,
    path: '/customers',
    summary: 'Organizations of the installation, with their figures and their use in a month; for its owner',
    input: z.object({ ...Page, month: Month.optional() }),
    output: Customer,
    answers: 'list',
  },
  getCustomerTotals: {
    ...all,
    ...read,
    path: '/customers/totals',
    summary: 'Sums over all organizations of the installation; for its owner',
    input: z.object({ month: Month.optional() }),
    output: CustomerTotals,
    answers: 'single',
  },
  createCustomer: {
    ...change,
    method: 'POST',
    path: '/customers',
    summary: 'Create an organization, and the link by which its first OWNER comes in',
    input: z.object(NewCustomer),
    output: InvitedOwner,
    status: 201,
  },
  updateCustomer: {
    ...change,
    method: 'PATCH',
    path: '/customers/{customerId}',
    summary: 'Give an organization another plan',
    input: z.object({ customerId, ...CustomerChange }),
    output: Customer,
  },
  inviteCustomerOwner: {
    ...change,
    method: 'POST',
    path: '/customers/{customerId}/invitation',
    summary: 'Invite the first OWNER of an organization without people again',
    input: z.object({ customerId, ...NewOwner }),
    output: InvitedOwner,
    status: 201,
  },
  getUsage: {
    ...own,
    ...read,
    path: '/usage',
    summary: "The organization's use by month and project",
    input: z.object(Months),
    output: Usage,
    answers: 'single',
  },
  exportUsage: {
    ...own,
    ...read,
    path: '/usage.csv',
    summary: "The organization's use by month and project, as CSV",
    input: z.object(Months),
    output: z.file(),
    answers: 'file',
    contentType: CSV,
  },
  getCustomersUsage: {
    ...all,
    ...read,
    path: '/customers/usage',
    summary: 'The use of all organizations by month and project; for the owner of the installation',
    input: z.object(Months),
    output: Usage,
    answers: 'single',
  },
  exportCustomersUsage: {
    ...all,
    ...read,
    path: '/customers/usage.csv',
    summary: 'The use of all organizations by month and project, as CSV; for the owner of the installation',
    input: z.object(Months),
    output: z.file(),
    answers: 'file',
    contentType: CSV,
  },
} as const satisfies Record<string, OperationRow>;

type CustomerRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends CustomerRows {}
}
