/** One allocation as plain data, as it travels to the signalling threads. Times in milliseconds. */

export type Role = 'CALLER' | 'CALLEE';

export type GroupPlan = {
  /** Request-URI of REGISTER, '' where nothing registers. */
  readonly registrarUri: string;
  /** Host part of the addresses of record; '' : the listener's own address. */
  readonly domain: string;
  readonly register: boolean;
  readonly registerExpiresSeconds: number;
  readonly routeSet: readonly string[];
  readonly audioCodecs: readonly ('PCMU' | 'PCMA')[];
  readonly packetMs: number;
  readonly audioSource: 'TONE' | 'SPEECH' | 'SILENCE';
  readonly audioDirection: 'BOTH' | 'SEND' | 'RECEIVE';
  readonly rtcpMux: boolean;
  /** A call to any number on the listener is for this group. */
  readonly takesAnyCall: boolean;
};

export type EndpointPlan = {
  readonly number: number;
  readonly registerAtMs: number;
  readonly callAtMs: number;
  readonly user: string;
  readonly account: { readonly username: string; readonly password: string } | null;
  readonly targetUri: string;
  /** Where requests outside dialogs go, resolved; null: to the numeric host of their Request-URI. */
  readonly nextHop: { readonly address: string; readonly port: number } | null;
};

/** What one signalling thread carries of an allocation. */
export type SharePlan = {
  /** Number that stands for the allocation in the columns of the media thread and between threads. */
  readonly owner: number;
  readonly role: Role;
  readonly group: GroupPlan;
  readonly endpoints: readonly EndpointPlan[];
  readonly callDurationMs: number;
  readonly answerTimeoutMs: number;
  readonly receiveWindowMs: number;
  readonly hardEndMs: number;
  /** The owner's limit and a little: a callee hangs up then, should its caller not. */
  readonly longestCallMs: number;
  readonly keepMessages: boolean;
};
