/** Options of a user agent, with the methods of its owner among them. For short tests. */
import type { UserAgentOptions, UserAgentOwner } from '../../sip/engine.ts';

export type OwnedOptions = Omit<UserAgentOptions, 'owner'> & Partial<UserAgentOwner>;

/** Takes no call, unless the options say which. */
export function withOwner(options: OwnedOptions): UserAgentOptions {
  const { onIncomingCall = () => null, isBusy, taker, onConnectionOpened, onForbidden, ...others } = options;
  const owner = {
    onIncomingCall,
    ...(isBusy && { isBusy }),
    ...(taker && { taker }),
    ...(onConnectionOpened && { onConnectionOpened }),
    ...(onForbidden && { onForbidden }),
  };
  return { ...others, owner };
}
