/** The enumerations of what endpoints do in a call, and how many actions a group may have. */

/** Triggers and effects of scenario actions. */
export const TRIGGERS = ['ANSWERED', 'HOLD', 'RESUME', 'INFO', 'DTMF', 'REFRESH'] as const;

export const ACTIONS = [
  'SEND_DTMF',
  'HOLD',
  'RESUME',
  'ACTIVATE_TRACK',
  'REINVITE',
  'UPDATE',
  'REFER',
  'ATTENDED_TRANSFER',
  'HANG_UP',
] as const;

/** More actions would be a program, not a scenario. */
export const MAX_ACTIONS = 30;

export const SDP_USES = ['OFFER', 'NONE'] as const;

export const DTMF_METHODS = ['RFC4733', 'INFO'] as const;
