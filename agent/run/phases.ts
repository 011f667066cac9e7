/** An endpoint's phases (docs/contract.md, States), in lifecycle order; the wire and the database know them by their index. */
export const PHASES = [
  'INITIALIZING',
  'REGISTERED',
  'CALLING',
  'RINGING',
  'NEGOTIATING',
  'INCALL',
  'DISCONNECTING',
  'CLOSED',
] as const;
export type Phase = (typeof PHASES)[number];

export const indexOf = (phase: Phase): number => PHASES.indexOf(phase);
