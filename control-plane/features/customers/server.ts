/** What customers add to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import {
  createCustomer,
  getCustomerTotals,
  inviteCustomerOwner,
  listCustomers,
  updateCustomer,
} from './operations/customers.ts';
import { countUsage, exportCustomersUsage, exportUsage, getCustomersUsage, getUsage } from './operations/usage.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = {
  listCustomers,
  getCustomerTotals,
  createCustomer,
  updateCustomer,
  inviteCustomerOwner,
  getUsage,
  exportUsage,
  getCustomersUsage,
  exportCustomersUsage,
};

export const HOOKS: Hooks = { runEnded: countUsage };
