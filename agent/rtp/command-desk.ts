/** Takes the commands of all client threads to the loop and their answers back. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { MediaAnswer, MediaCommand, OwnerCommand } from './media-commands.ts';
import type { MediaLoop } from './media-loop.ts';
import type { MediaMemory } from './stream-memory.ts';

export class CommandDesk {
  /** The owner wants the thread to end. */
  ended = false;
  private readonly memory: MediaMemory;
  private readonly loop: MediaLoop;
  private readonly owner: MessagePort;
  private readonly clients: MessagePort[] = [];

  constructor(memory: MediaMemory, loop: MediaLoop, owner: MessagePort) {
    this.memory = memory;
    this.loop = loop;
    this.owner = owner;
  }

  /**
   * Carries out waiting commands until there are none or `untilMs` has come: opening and closing sockets takes time, and other
   * streams' packets are due. True: none is left.
   */
  serve(untilMs: number): boolean {
    for (let message = receiveMessageOnPort(this.owner); message; message = receiveMessageOnPort(this.owner))
      this.obey(message.message);
    for (const client of [...this.clients]) {
      for (let message = receiveMessageOnPort(client); message; message = receiveMessageOnPort(client)) {
        this.execute(client, message.message);
        if (this.loop.sockets.nowMs() >= untilMs) return false;
      }
    }
    return true;
  }

  obey(command: OwnerCommand): void {
    if (command.op === 'client') this.clients.push(command.port);
    else this.ended = true;
  }

  execute(client: MessagePort, command: MediaCommand): void {
    if (command.op === 'open') {
      const { request, address, owner, endpointNumbers } = command;
      this.loop.open({
        address,
        owner,
        endpointNumbers,
        done: (streams, failure) => client.postMessage({ request, streams, failure } satisfies MediaAnswer),
      });
      return;
    }
    if (command.op === 'leave') {
      this.clients.splice(this.clients.indexOf(client), 1);
      client.close();
      return;
    }
    // The row may carry another stream by now: a command for the one before is void.
    if (this.memory.streams.generation[command.row] !== command.generation) return;
    if (command.op === 'close') this.loop.close(command.row);
    else this.loop.start(command.row, command.remote, command.format, command.source, command.direction);
  }
}
