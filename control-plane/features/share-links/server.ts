/** What share links add to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import { UNKNOWN_LINKS } from './limits/unknown-links.ts';
import {
  createShareLink,
  deleteShareLink,
  dropOldLinks,
  listProjectShareLinks,
  listShareLinks,
} from './operations/share-links.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = {
  createShareLink,
  listShareLinks,
  listProjectShareLinks,
  deleteShareLink,
};

export const HOOKS: Hooks = { retain: dropOldLinks };

export const LIMITS = UNKNOWN_LINKS;
