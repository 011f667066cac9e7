/**
 * Every limit on strangers, requests and connections, one row each. The table of README.md is made from these rows
 * (`npm run generate`). The limits on customers' use are those of their plans (contract/people/plans.ts).
 */
export type RequestLimit = {
  readonly max: number;
  /** The window; 0: at any moment. */
  readonly withinMs: number;
  /** Absent: a number of things. */
  readonly unit?: 'bytes' | 'ms' | 'bytes a second';
  readonly kept: 'replica' | 'database' | 'connection';
  readonly said: LimitText;
};
type LimitText = readonly [what: string, per: string, beyond: string];

/** The number of networks, keys and the like that one window in memory remembers. */
export const MAX_REMEMBERED = 10_000;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The window of failed log-ins. */
const LOG_IN = 15 * MINUTE;

const [HTTP, CLOSED, LATER] = ['429, `Retry-After`', 'its connection is closed', 'its turn, later'];
const LINK = '503, `Retry-After`; a connection that has been silent for 2 s is closed instead';
const PER_LINE = 'connection';

/** A limit that each replica keeps in memory. */
export const memory = (max: number, withinMs: number, ...said: LimitText): RequestLimit => ({
  max,
  withinMs,
  kept: 'replica',
  said,
});
/** A limit that all replicas share. */
export const shared = (max: number, withinMs: number, ...said: LimitText): RequestLimit => ({
  max,
  withinMs,
  kept: 'database',
  said,
});
const logIns = (max: number, what: string, per: string): RequestLimit => shared(max, LOG_IN, what, per, HTTP);
const ofLine = (max: number, unit: RequestLimit['unit'], what: string, beyond: string): RequestLimit => ({
  max,
  withinMs: 0,
  kept: PER_LINE,
  said: [what, PER_LINE, beyond],
  ...(unit && { unit }),
});

export const LIMITS = {
  refusedRequests: memory(100, MINUTE, 'requests without a valid key or session', 'network', HTTP),
  visits: memory(600, MINUTE, 'requests for what needs no key: `/metrics`, the API description', 'network', HTTP),
  sessionRequests: shared(1200, MINUTE, 'requests; a key has the number of its plan', 'session', HTTP),
  watchedRuns: memory(100, 0, 'event streams of runs', 'organization', HTTP),
  /** The other database connections are for requests and agents. */
  looksAtOnce: memory(2, 0, 'queries for watched runs', 'replica', LATER),

  knownBrowser: logIns(10, 'failed log-ins', 'account and known browser'),
  session: logIns(10, 'failed confirmations of the identity', 'session'),
  accountFromNetwork: logIns(10, 'failed log-ins', 'account and network'),
  accountFromFailing: logIns(3, 'failed log-ins', 'account and network, beyond one of the next two rows'),
  network: logIns(60, 'failed log-ins and wrong links; of log-ins, see the row before', 'network'),
  site: logIns(240, 'failed log-ins and wrong links; of log-ins, see the row before the last', 'site'),
  /** This limit follows NIST SP 800-63B, 3.2.2. */
  account: logIns(100, 'failed log-ins in unknown browsers', 'account'),
  repeatedGuesses: memory(1000, SECOND, 'guessers refused from memory', 'replica', 'a look at each guess'),
  /** The thread pool has four threads, which also read files and resolve names. */
  passwordsAtOnce: memory(2, 0, 'hashes of passwords, in turn by network', 'replica', LATER),
  passwordsWaiting: memory(32, 0, 'hashes of passwords that wait', 'network', HTTP),

  /** A thousand agents that return from one network are admitted in groups: a greeting takes milliseconds. */
  connections: memory(300, 0, 'connections before their greeting', 'replica', LINK),
  connectionsOfSite: memory(200, 0, 'connections before their greeting', 'site', LINK),
  connectionsOfNetwork: memory(100, 0, 'connections before their greeting', 'network', LINK),
  connectionsOfRefused: memory(4, 0, 'connections before their greeting', 'network beyond the next row', LINK),
  refusedGreetings: memory(30, MINUTE, 'greetings, refused minus accepted', 'network', 'each greeting waits 250 ms'),
  greetingsAtOnce: memory(4, 0, 'greetings', 'replica', LATER),
  greetingsWaiting: memory(200, 0, 'greetings that wait', 'replica', '`BUSY`, to come back in 2 to 4 s'),
  /** Some refused frames are accidents, or come from a different version. */
  refusedFrames: memory(3, 10 * MINUTE, 'refused frames', 'agent key', '`REFUSED_TOO_OFTEN`: 1 s, doubled up to 60 s'),

  auditedOfKind: shared(100, HOUR, 'refusals as entries of the audit log', 'organization and kind', 'totals'),
  auditedOfNetwork: shared(10, HOUR, 'refusals as entries of the audit log', 'the same and network', 'totals'),
  auditedOfWorker: shared(1, HOUR, 'refusals of its agent in the audit log', 'worker and reason', 'counted only'),
  auditWaiting: memory(200, SECOND, 'kinds and networks of refusals to write', 'replica', 'sums without networks'),

  headersTime: ofLine(10 * SECOND, 'ms', 'until the headers have come', '400'),
  /** A body on the slowest line has at most this long; shorter bodies have less. */
  requestTime: ofLine(15 * MINUTE, 'ms', 'until the request has come', '400'),
  bodyTime: ofLine(10 * SECOND, 'ms', 'until a body has come, besides its length at the next row', '400'),
  bodySpeed: ofLine(32 * 1024, 'bytes a second', 'the slowest line of a long body', '400'),
  strangersBody: ofLine(64 * 1024, 'bytes', 'a body without a key or session', '400'),
  /** 10,000 SIP accounts are 30,000 values. */
  values: ofLine(200_000, undefined, 'values of a body', '422'),
  /** A million brackets held the process for seconds. No valid body has more than a dozen. */
  depth: ofLine(64, undefined, 'levels of a body', '400'),
  /** No known client sends more than a few. */
  requestsWaiting: ofLine(16, undefined, 'requests sent without waiting for answers', CLOSED),
  greetingTime: ofLine(10 * SECOND, 'ms', 'until an agent has greeted', CLOSED),
  /** A greeting has a few kilobytes. */
  greetingBytes: ofLine(64 * 1024, 'bytes', 'all that an agent sends until it is accepted', CLOSED),
  framesWaiting: ofLine(16, undefined, 'frames of an agent that wait', 'it is not read meanwhile'),
} as const satisfies Record<string, RequestLimit>;
