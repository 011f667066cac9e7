/** Passes the commands of all client threads to the loop, and the answers back. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { SocketAddress } from '../../net/datagrams/socket-address.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { MediaLoop } from '../loop/media-loop.ts';
import type { MediaAnswer, MediaCommand, MediaLoaded, MediaQuestion, OwnerCommand } from './media-commands.ts';

export class CommandQueue {
  /** Whether the owner wants the thread to end. */
  ended = false;
  readonly #memory: MediaMemory;
  readonly #loop: MediaLoop;
  readonly #owner: MessagePort;
  readonly #clients: MessagePort[] = [];
  /** The client that holds the stream, by row. */
  readonly #holders: (MessagePort | undefined)[] = [];

  constructor(memory: MediaMemory, loop: MediaLoop, owner: MessagePort) {
    this.#memory = memory;
    this.#loop = loop;
    this.#owner = owner;
  }

  /**
   * Executes waiting commands until none is left or `untilMs` is reached: opening and closing sockets takes time, and
   * other streams' packets are due. True: none is left.
   */
  serve(untilMs: number): boolean {
    for (let message = receiveMessageOnPort(this.#owner); message; message = receiveMessageOnPort(this.#owner))
      this.obey(message.message);
    for (const client of [...this.#clients]) {
      for (let message = receiveMessageOnPort(client); message; message = receiveMessageOnPort(client)) {
        this.execute(client, message.message);
        if (this.#loop.sockets.nowMs() >= untilMs) return false;
      }
    }
    return true;
  }

  obey(command: OwnerCommand): void {
    if (command.op === 'client') this.#clients.push(command.port);
    else if (command.op === 'load') {
      this.#loop.load(command.media);
      this.#owner.postMessage({ op: 'loaded', request: command.request } satisfies MediaLoaded);
    } else if (command.op === 'unload') this.#loop.unload(command.source);
    else this.ended = true;
  }

  execute(client: MessagePort, command: MediaCommand): void {
    if (command.op === 'open') {
      const { request, address, owner, endpointNumbers, profile } = command;
      this.#loop.open({
        address,
        owner,
        endpointNumbers,
        profile,
        done: (streams, failure) => {
          if (!this.#clients.includes(client)) {
            // The client has left in the meantime.
            for (const { row } of streams) this.#loop.close(row);
            return;
          }
          for (const { row } of streams) this.#holders[row] = client;
          client.postMessage({ op: 'opened', request, streams, failure } satisfies MediaAnswer);
        },
      });
      return;
    }
    if (command.op === 'leave') {
      this.leave(client);
      client.close();
      return;
    }
    // The row may already have another stream: a command for the previous one is void.
    if (this.#memory.streams.generation[command.row] !== command.generation) return;
    if (command.op === 'close') this.#close(command.row);
    else if (command.op === 'consent') this.#loop.consent(command.row);
    else if (command.op === 'follow') this.#loop.follow(command.row, command.address, command.port);
    else if (command.op === 'expect') this.#loop.expect(command.row, command.owed);
    else if (command.op === 'press') this.#loop.press(command.row, command.digits, command.onMs, command.offMs);
    else if (command.op === 'signalled')
      this.#loop.digits.signalled(command.row, command.way, command.digit, command.durationMs);
    else this.#loop[command.op](command.row, command.session);
  }

  /** A client has left: closes the streams that it has opened or is opening. */
  leave(client: MessagePort): void {
    const at = this.#clients.indexOf(client);
    if (at >= 0) this.#clients.splice(at, 1);
    for (const [row, holder] of this.#holders.entries()) if (holder === client) this.#close(row);
  }

  #close(row: number): void {
    this.#holders[row] = undefined;
    this.#loop.close(row);
  }

  /**
   * Asks the stream's holder, which knows the host's policy, whether the stream may be sent to the address that its
   * media come from.
   */
  ask(row: number, { address, port }: SocketAddress): void {
    const generation = this.#memory.streams.generation[row]!;
    this.#holders[row]?.postMessage({ op: 'heard', row, generation, address, port } satisfies MediaQuestion);
  }
}
