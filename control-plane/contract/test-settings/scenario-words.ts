/** The enumerations of what endpoints do in a call. */

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

export const SDP_USES = ['OFFER', 'NONE'] as const;

export const DTMF_METHODS = ['RFC4733', 'INFO'] as const;
