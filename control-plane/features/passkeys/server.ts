/** What passkeys add to the control plane. */
import type { EntranceName, KnownName } from '../../contract/catalogue.ts';
import type { Entrances, Handlers } from '../../operations/request/perform.ts';
import type { Hooks } from '../../ports.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogIn,
  beginPasskeyProof,
  dropOldChallenges,
  listPasskeys,
  logInByPasskey,
  passkeyHost,
  proofByPasskey,
  proveMeByPasskey,
  removePasskey,
} from './operations/passkeys.ts';
import type { ROWS } from './rows.ts';

type Name = keyof typeof ROWS;

export const ENTRANCES: Pick<Entrances, Name & EntranceName> = { beginPasskeyLogIn, logInByPasskey };

export const HANDLERS: Pick<Handlers, Name & KnownName> = {
  listPasskeys,
  beginPasskey,
  addPasskey,
  removePasskey,
  beginPasskeyProof,
  proveMeByPasskey,
};

export const HOOKS: Hooks = {
  retain: dropOldChallenges,
  entrance: ({ settings }) => ({ passkeyHost: passkeyHost(settings) }),
  proof: proofByPasskey,
};
