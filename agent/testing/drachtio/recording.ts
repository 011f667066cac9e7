/**
 * A conversation between an agent and a real drachtio-server, recorded and replayed. The recorder is a relay between the two;
 * the player replaces the server. Values that differ in each run (ids, Call-IDs, tags, cnonces) are matched by their position.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** In the order in which the recorder saw them; `>`: from the agent. */
export type RecordedLine = readonly ['>' | '<', string];
export type SessionRecording = {
  /** Of the server. */
  readonly version: string;
  /** The proxy at which the recording registered and called. */
  readonly proxy: { readonly address: string; readonly port: number };
  readonly said: readonly RecordedLine[];
  /** The outcome that the agent reported to its owner. */
  readonly events: readonly string[];
};

/** Frames of the protocol: length in characters, `#`, text. */
function reader(heard: (frame: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let at = rest.indexOf('#'); at > 0; at = rest.indexOf('#')) {
      const end = at + 1 + Number(rest.toString('latin1', 0, at));
      if (rest.length < end) return;
      heard(rest.toString('latin1', at + 1, end));
      rest = rest.subarray(end);
    }
  };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Between an agent and the server at `host`, `port`. */
export async function openRecorder(host: string, port: number) {
  const said: RecordedLine[] = [];
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(port, host);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    const [fromAgent, fromServer] = [
      reader((frame) => said.push(['>', frame])),
      reader((frame) => said.push(['<', frame])),
    ];
    near.on('data', (bytes) => {
      fromAgent(bytes);
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      fromServer(bytes);
      near.write(bytes);
    });
  });
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: await listening(server), said, close };
}

/** Words that may differ in each run: ids and the like are no shorter. */
const WORD = /[\w-]+/g;
const SHORTEST_ID = 6;

/** In place of the server. `differences`: what the agent sent differently from the recording. */
export async function openPlayer(recording: SessionRecording) {
  const differences: string[] = [];
  /** Recorded words -> the words that replace them now. */
  const now = new Map<string, string>();
  let at = 0;
  const sockets: Socket[] = [];
  const speak = (socket: Socket): void => {
    for (; recording.said[at]?.[0] === '<'; at++) {
      const text = (recording.said[at] as RecordedLine)[1].replace(WORD, (word) => now.get(word) ?? word);
      socket.write(Buffer.from(`${text.length}#${text}`, 'latin1'));
    }
  };
  const compare = (then: string, said: string): void => {
    const [words, others] = [then.match(WORD) ?? [], said.match(WORD) ?? []];
    if (words.length !== others.length || then.replace(WORD, '') !== said.replace(WORD, '')) {
      differences.push(`${then}\n--- is now\n${said}`);
      return;
    }
    for (const [i, word] of words.entries()) {
      const other = others[i] as string;
      if (word === other || now.get(word) === other) continue;
      if (Math.min(word.length, other.length) < SHORTEST_ID || now.has(word))
        differences.push(`${word} is now ${other}`);
      else now.set(word, other);
    }
  };
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on(
      'data',
      reader((frame) => {
        const next = recording.said[at];
        if (next === undefined) {
          differences.push(`after the end: ${frame}`);
          return;
        }
        compare(next[1], frame);
        at++;
        speak(socket);
      }),
    );
  });
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return {
    port: await listening(server),
    differences,
    close,
    get isOver() {
      return at === recording.said.length;
    },
  };
}
