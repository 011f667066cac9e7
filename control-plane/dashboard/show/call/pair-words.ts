/** How the other end of a call was found, and how its instants compare, in sentences. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import type { ClockBounds } from './ladder-model.ts';

type Peer = NonNullable<Output<'getTestRunEndpoint'>['peer']>;

const GROUNDS: Readonly<Record<Peer['grounds'][number], string>> = {
  SSRC: 'one end received the packets that the other sent',
  CALLED_NUMBER: 'it has the number that the caller dialed',
  CALLER_NUMBER: "the callee saw the caller's number",
  TIME: 'both calls began, were answered and ended together',
  LENGTH: 'no other call at that time had the same duration',
};

/** `Deduced, because …: it has the number that the caller dialed; …` */
export const pairWords = ({ grounds }: Pick<Peer, 'grounds'>): string =>
  grounds.length === 0
    ? 'The INVITE identified the call.'
    : `Deduced, because nothing in the messages identifies the call: ${grounds.map((ground) => GROUNDS[ground]).join('; ')}. No other call matches.`;

const signed = (ms: number): string => `${ms < 0 ? '−' : '+'}${Math.abs(ms)} ms`;

export const clockWords = (bounds: ClockBounds | null): string =>
  bounds === null
    ? 'The two ends are on two agents with separate clocks. The messages do not show how far the clocks differ.'
    : `The two ends are on two agents with separate clocks. According to the messages, the callee's clock is between ${signed(bounds.minMs)} and ${signed(bounds.maxMs)} relative to the caller's.`;
