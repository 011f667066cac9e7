/** What of SIP beyond the simple call an engine can do, by name: told to the control plane, which refuses tests that ask for more. */
export const SIP_ABILITIES = [
  'INFO',
  'RE_INVITE',
  'UPDATE',
  'REFER',
  'PRACK',
  'SESSION_TIMER',
  'DELAYED_OFFER',
  'REDIRECT',
  'EARLY_MEDIA',
  // Any action of the scenario; how a callee answers, by status and time; transports beside UDP.
  'ACTIONS',
  'ANSWERING',
  'TCP',
  'TLS',
  'AUTO',
  // Groups that do no more than register, or ask for options.
  'REGISTER_ONLY',
  'OPTIONS',
] as const;
export type SipAbility = (typeof SIP_ABILITIES)[number];

/** The own core does it all. */
export const CORE_ABILITIES: readonly SipAbility[] = SIP_ABILITIES;
