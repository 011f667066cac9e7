/**
 * One agent's connection: a challenge, a greeting, and then batches in and orders out. Frames are handled in order; an
 * acknowledgement is sent only after the commit.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeAgentFrame, FrameError, signedChallenge, signedKeyChange, type wire } from '@carillon/proto';
import { step } from '@carillon/proto/base/machine.ts';
import type { WebSocket } from 'ws';
import { LIMITS } from '../limits/limits.ts';
import type { LinkRefusal } from '../limits/stranger-log.ts';
import { TurnsClosed } from '../limits/turns.ts';
import { depart } from '../operations/agents/depart.ts';
import { passForgottenOver } from '../operations/agents/forgotten.ts';
import { greet, replacePolicy, workerWithKey } from '../operations/agents/greet.ts';
import { ingest, skip } from '../operations/agents/ingest.ts';
import { changeKey } from '../operations/agents/keys.ts';
import { archiveLeaving, drainLeaving } from '../operations/agents/leave.ts';
import { readRecording } from '../operations/agents/recordings.ts';
import { noteRefusal } from '../operations/agents/refusals.ts';
import { noteStorageFault } from '../operations/agents/storage-faults.ts';
import type { Ports } from '../ports.ts';
import { ControlSocket } from './control-socket.ts';
import type { Door, SessionCounters } from './door.ts';
import { type OpenedBatch, openBatch } from './open-batch.ts';
import { OrderDelivery } from './order-delivery.ts';
import { OwnAllocations } from './own-allocations.ts';
import { SESSION, type SessionEvent, type SessionState } from './session-machine.ts';
import { isSignedBy } from './signature.ts';
import type { Instants } from './wire/decode-facts.ts';
import { decodeHello, decodePolicy } from './wire/hello.ts';
import { plainText } from './wire/plain-text.ts';
import { unixMs } from './wire/unix-ms.ts';
import { welcomeFrame } from './wire/welcome-frame.ts';

type AgentFrame = wire.agent.v1.AgentFrame;

const DAY_MS = 86_400_000;
const MAX_WAITING = LIMITS.framesWaiting.max;
/** Agents that find the queue of greetings full return spread over this time: as long as the queue takes on a busy host. */
const BUSY_MS = LIMITS.greetingsWaiting.max * 20;

type AgentSessionParts = {
  readonly ports: Ports;
  readonly ws: WebSocket;
  readonly connection: { readonly id: string; readonly address: string };
  readonly counters: SessionCounters;
  readonly door: Door;
  readonly onEnd: () => void;
};

export class AgentSession {
  readonly connectionId: string;
  readonly address: string;
  readonly sinceMs = Date.now();
  workerId: string | null = null;
  heardAt = this.sinceMs;
  /** True until something has been received. */
  isSilent = true;
  /** True if the connection was refused for a specific reason. */
  isRefused = false;
  #state: SessionState = SESSION.initial;
  #outboxId = '';
  /** The number that the welcome asked for; null: the first batch of this connection has arrived. */
  #askedFor: number | null = null;
  /** The key that was proved on this connection. */
  #publicKey: Buffer = Buffer.alloc(0);
  readonly #own: OwnAllocations;
  #waiting = 0;
  #work: Promise<void> = Promise.resolve();
  readonly #nonce = randomBytes(32);
  readonly #ports: Ports;
  readonly #ws: WebSocket;
  readonly #socket: ControlSocket;
  readonly #orders: OrderDelivery;
  readonly #counters: SessionCounters;
  readonly #door: Door;
  readonly #onEnd: () => void;

  constructor({ ports, ws, connection, counters, door, onEnd }: AgentSessionParts) {
    this.#ports = ports;
    this.#own = new OwnAllocations(ports);
    this.#ws = ws;
    this.#socket = new ControlSocket(ws);
    this.#orders = new OrderDelivery({
      ports,
      send: (frame) => this.#socket.sendBytes(frame),
      isWelcomed: () => this.#state === 'WELCOMED',
      onFailure: (why) => this.drop(why),
    });
    this.connectionId = connection.id;
    this.address = connection.address;
    this.#counters = counters;
    this.#door = door;
    this.#onEnd = onEnd;
  }

  open(): void {
    const late = setTimeout(() => {
      if (this.#state !== 'CHALLENGED') return;
      this.#refused('NO_GREETING');
      this.drop('no greeting');
    }, LIMITS.greetingTime.max);
    this.#ws.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary));
    this.#ws.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') this.#refused('FRAME_TOO_LARGE', this.workerId);
      this.#ports.log.debug({ error: error.message }, 'agent connection');
    });
    this.#ws.on('close', () => {
      clearTimeout(late);
      this.#enter('closed');
      this.#onEnd();
      // Work in progress is finished first, then the worker is marked as gone.
      this.#work = this.#work.then(() => this.#leave());
    });
    this.#socket.send({ challenge: { nonce: this.#nonce, unixMs: unixMs() } });
  }

  /** True if the connection belongs to no agent and is idle: it may be closed to free its place. */
  get mayGo(): boolean {
    return this.isSilent || this.#state === 'LEAVING';
  }

  /** Sends the orders that the agent has not acknowledged and that were not sent on this connection. */
  deliver(): void {
    if (this.workerId !== null) this.#orders.deliver(this.workerId);
  }

  drop(why: string): void {
    this.#ports.log.info({ workerId: this.workerId, why }, 'agent connection dropped');
    this.#ws.terminate();
  }

  /** Closes a connection that has sent more than a greeting before it was accepted. */
  dropTooLarge(): void {
    this.isSilent = false;
    this.#refused('FRAME_TOO_LARGE');
    this.drop('more than a greeting');
  }

  /** Says farewell (the agent reconnects to another replica) and waits for work in progress. */
  async end(): Promise<void> {
    this.#farewell('GOING_AWAY', 'The control plane is stopping.', true);
    await this.#work;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.heardAt = Date.now();
    this.isSilent = false;
    this.#waiting++;
    if (this.#waiting >= MAX_WAITING) this.#ws.pause();
    this.#work = this.#work
      .then(async () => {
        if (this.#state === 'LEAVING' || this.#state === 'ENDED') return;
        if (!isBinary) throw new FrameError('text frame');
        await this.#handle(decodeAgentFrame(data));
      })
      .catch((error: Error) => this.#fail(error))
      .finally(() => {
        this.#waiting--;
        if (this.#waiting < MAX_WAITING && this.#ws.isPaused) this.#ws.resume();
      });
  }

  async #handle(frame: AgentFrame): Promise<void> {
    if (this.#state === 'CHALLENGED') {
      if (!frame.hello) throw new FrameError('the first frame is not a greeting');
      return this.#greet(frame.hello as wire.agent.v1.Hello);
    }
    if (frame.batch) return this.#ingest(frame.batch as wire.agent.v1.Batch);
    if (frame.commandReceipt) {
      return this.#orders.acknowledged(this.workerId as string, frame.commandReceipt.id as number);
    }
    if (frame.beat) {
      this.#socket.send({ beat: { unixMs: unixMs(), echoUnixMs: frame.beat.unixMs ?? 0 } });
      return;
    }
    if (frame.policy) {
      return this.#replacePolicy(frame.policy as wire.agent.v1.PolicyDigest);
    }
    if (frame.mediaRequest) return this.#sendRecording(frame.mediaRequest as wire.agent.v1.MediaRequest);
    if (frame.keyChange) return this.#changeKey(frame.keyChange as wire.agent.v1.KeyChange);
    if (frame.storageFault) {
      await noteStorageFault(this.#ports, this.workerId as string, plainText(frame.storageFault.fault ?? '', 200));
      return;
    }
    if (frame.leaving) return this.#goodbye(frame.leaving.done === true);
    if (frame.hello) throw new FrameError('a second greeting');
    // Any other frame comes from an agent that is newer than this control plane.
  }

  async #greet(hello: wire.agent.v1.Hello): Promise<void> {
    const greeting = decodeHello(hello, { id: this.connectionId, address: this.address });
    const pauseMs = this.#door.room.waitMs(this.address, Date.now());
    if (pauseMs > 0) await delay(pauseMs, undefined, { ref: false });
    if (this.#state !== 'CHALLENGED') return;
    if (!isSignedBy(greeting.publicKey, hello.signature, signedChallenge(this.#nonce))) {
      this.#refused('KEY_NOT_PROVED', await workerWithKey(this.#ports, greeting.publicKey));
      this.#farewell('KEY_NOT_PROVED', 'The signature does not answer the challenge.', false);
      return;
    }
    const waitMs = this.#door.refused.waitMs(greeting.publicKey.toString('hex'), performance.now());
    if (waitMs > 0) {
      this.#refused('REFUSED_TOO_OFTEN');
      this.#farewell('REFUSED_TOO_OFTEN', 'Frames of this agent were refused repeatedly.', true, waitMs);
      return;
    }
    const welcome = await this.#door.greetings.take(
      '',
      // The agent may have disconnected in the meantime.
      async () => (this.#state === 'CHALLENGED' ? greet(this.#ports, greeting) : null),
      () => {
        this.#counters.refusals.inc({ reason: 'TOO_MANY_GREETINGS' });
        const retryAfterMs = BUSY_MS * (0.5 + Math.random() / 2);
        this.#farewell('BUSY', 'Many agents connect at once. Connect again later.', true, retryAfterMs);
        return null;
      },
    );
    if (welcome === null) return;
    if ('code' in welcome) {
      // The refusal of a known worker was recorded by greet().
      if (welcome.workerId === undefined && !welcome.concerns) this.#refused(welcome.reason);
      else this.#count(welcome.reason);
      const { retryAfterMs } = welcome;
      this.#farewell(welcome.code, welcome.message, retryAfterMs !== undefined, retryAfterMs);
      return;
    }
    this.workerId = welcome.workerId;
    this.#door.room.welcomed(this.address, Date.now());
    this.#outboxId = greeting.outboxId;
    this.#publicKey = greeting.publicKey;
    this.#askedFor = welcome.nextBatch;
    // If the connection has ended in the meantime, the next step is unnecessary.
    if (!this.#enter('welcomed')) return;
    this.#socket.send(welcomeFrame(welcome));
    this.deliver();
  }

  async #ingest(batch: wire.agent.v1.Batch): Promise<void> {
    const number = batch.number as number;
    const sender = { workerId: this.workerId as string, outboxId: this.#outboxId };
    // An agent that knows the new numbering begins with the number that the welcome asked for.
    if (this.#askedFor !== null && number > this.#askedFor) await passForgottenOver(this.#ports, sender, number);
    this.#askedFor = null;
    let opened: OpenedBatch;
    try {
      opened = await openBatch(batch, this.#acceptedInstants(), (ids) => this.#own.foreignOf(sender.workerId, ids));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      const { result } = await skip(this.#ports, sender, number);
      this.#counters.batches.inc({ result });
      throw error;
    }
    const done = await ingest(this.#ports, sender, number, opened.facts);
    this.#counters.batches.inc({ result: done.result });
    if (done.foreign + opened.foreign > 0) this.#refused('FOREIGN_FACTS', sender.workerId);
    if (done.result === 'gap') {
      this.#refused('BATCH_OUT_OF_TURN', sender.workerId);
      throw new FrameError(`batch ${number} came before the one that precedes it`);
    }
    this.#counters.samples.inc(done.samples);
    if (done.ignored + opened.foreign > 0) this.#counters.batches.inc({ result: 'partly_ignored' });
    this.#socket.send({ batchReceipt: { number } });
  }

  /** The agent ends for good: first it is drained, then its worker is archived. */
  async #goodbye(isDone: boolean): Promise<void> {
    const workerId = this.workerId as string;
    if (!isDone) return drainLeaving(this.#ports, workerId);
    if (await archiveLeaving(this.#ports, workerId, { address: this.address }))
      this.#farewell('LEFT', 'The agent has left: its worker is archived.', false);
  }

  async #replacePolicy(policy: wire.agent.v1.PolicyDigest): Promise<void> {
    const connection = { workerId: this.workerId as string, connectionId: this.connectionId };
    const refusal = await replacePolicy(this.#ports, connection, decodePolicy(policy));
    if (refusal === null) return;
    this.#refused(refusal.reason, connection.workerId);
    this.#farewell(refusal.code, refusal.message, true, refusal.retryAfterMs);
  }

  async #changeKey({ publicKey, consent, proof }: wire.agent.v1.KeyChange): Promise<void> {
    const change = { workerId: this.workerId as string, from: this.#publicKey, to: Buffer.from(publicKey) };
    // A repeated request is already done.
    if (change.to.equals(change.from)) return this.#socket.send({ keyReceipt: { publicKey } });
    const signed = signedKeyChange(change.from, change.to);
    const isProved = isSignedBy(change.from, consent, signed) && isSignedBy(change.to, proof, signed);
    const refused = isProved
      ? await changeKey(this.#ports, change, { address: this.address })
      : 'The signatures of both keys do not prove it.';
    if (refused === null) {
      this.#publicKey = change.to;
      this.#door.refused.rename(change.from.toString('hex'), change.to.toString('hex'));
    } else this.#refused('KEY_CHANGE_REFUSED', change.workerId);
    this.#socket.send({ keyReceipt: { publicKey, refused: refused ?? '' } });
  }

  #count(reason: LinkRefusal): void {
    this.#counters.refusals.inc({ reason });
    this.isRefused ||= this.workerId === null && !this.isSilent;
  }

  /** Counts the refusal, and reports it to the organization of the worker concerned. */
  #refused(reason: LinkRefusal, workerId: string | null = null): void {
    this.#count(reason);
    if (workerId !== null) void noteRefusal(this.#ports, workerId, reason, { address: this.address });
    else this.#door.strangerLog.note(reason, this.address);
  }

  async #sendRecording({ sha256, offset }: wire.agent.v1.MediaRequest): Promise<void> {
    const chunk = await readRecording(this.#ports, this.workerId as string, sha256, offset);
    this.#counters.recordingChunks.inc({ result: chunk ? 'sent' : 'refused' });
    const refused = 'no open allocation of this agent plays such a recording, or it was deleted';
    const isRead = await this.#socket.sendAndWait({ mediaChunk: { sha256, offset, ...(chunk ?? { refused }) } });
    if (!isRead) this.drop('does not read the requested data');
  }

  /** Older values are beyond retention; values after tomorrow are invalid. */
  #acceptedInstants(): Instants {
    const { settings, now } = this.#ports;
    const atMs = now().getTime();
    return { fromMs: atMs - settings.sampleRetentionDays * DAY_MS, toMs: atMs + DAY_MS };
  }

  #fail(error: Error): void {
    // The gateway closes: the agent has been told so, and nothing of it was begun.
    if (error instanceof TurnsClosed) return;
    if (error instanceof FrameError) {
      if (this.workerId !== null) this.#door.refused.note(this.#publicKey.toString('hex'), performance.now());
      this.#counters.refusedFrames.inc();
      this.#refused('FRAME_REFUSED', this.workerId);
      this.#ports.log.warn({ workerId: this.workerId, error: error.message }, 'frame refused');
      this.#farewell('FRAME_REFUSED', error.message, true);
      return;
    }
    this.#ports.log.warn(
      { workerId: this.workerId, error: error.message, stack: error.stack },
      'frame could not be handled',
    );
    this.#farewell('TRY_AGAIN', 'The control plane could not store this. Connect again.', true);
  }

  #farewell(code: string, message: string, retry: boolean, retryAfterMs = 0): void {
    if (!this.#enter('farewell')) return;
    this.#socket.send({ farewell: { code, message, retry, retryAfterMs: Math.ceil(retryAfterMs) } });
    this.#ws.close(1000, code);
  }

  /** False: the table has no such step, and nothing may happen. */
  #enter(event: SessionEvent): boolean {
    const next = step(SESSION.transitions, this.#state, event);
    if (next === null)
      this.#ports.log.debug({ workerId: this.workerId, state: this.#state, event }, 'the session refuses a step');
    else this.#state = next;
    return next !== null;
  }

  async #leave(): Promise<void> {
    if (this.workerId === null) return;
    // If the database is down, the connection is not renewed there, and the sweep marks it.
    await depart(this.#ports, this.connectionId).catch((error: Error) =>
      this.#ports.log.warn({ workerId: this.workerId, error: error.message }, 'departure not stored'),
    );
  }
}
