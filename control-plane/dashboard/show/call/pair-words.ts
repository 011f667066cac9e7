/** How the other end of a call was found, and how its instants compare, in sentences. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import type { ClockBounds } from './ladder-model.ts';

type Peer = NonNullable<Output<'getTestRunEndpoint'>['peer']>;

const GROUNDS: Readonly<Record<Peer['grounds'][number], string>> = {
  SSRC: 'one end received the packets that the other sent',
  CALLED_NUMBER: 'it has the number that was called',
  CALLER_NUMBER: "the callee saw the caller's number",
  TIME: 'both calls began, were answered and ended together',
  LENGTH: 'of the calls at that time only this one lasted as long',
};

/** `Deduced, since …: it has the number that was called; …` */
export const pairWords = ({ grounds }: Pick<Peer, 'grounds'>): string =>
  grounds.length === 0
    ? 'The INVITE named the call.'
    : `Deduced, since nothing on the wire names the call: ${grounds.map((ground) => GROUNDS[ground]).join('; ')}. No other call fits.`;

const signed = (ms: number): string => `${ms < 0 ? '−' : '+'}${Math.abs(ms)} ms`;

export const clockWords = (bounds: ClockBounds | null): string =>
  bounds === null
    ? 'The two ends are on two agents, each with its own clock: how far these differ, the messages do not tell.'
    : `The two ends are on two agents, each with its own clock: by the messages, the callee's is between ${signed(bounds.leastMs)} and ${signed(bounds.mostMs)} of the caller's.`;
