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
const MIN_ID = 6;
const LEARNED = ['From', 'To', 'Call-ID'] as const;

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
  /** Values that differ in each run, where both have as many words. */
  const learn = (then: string, said: string): void => {
    const [words, others] = [then.match(WORD) ?? [], said.match(WORD) ?? []];
    if (words.length !== others.length) return;
    for (const [i, word] of words.entries()) {
      const other = others[i] as string;
      if (Math.min(word.length, other.length) >= MIN_ID && !now.has(word)) now.set(word, other);
    }
  };
  /** What kind of frame it is, and of what it is: which header fields a library writes, and in which order, is its own. */
  const kindOf = (frame: string): string => {
    const [head = '', start = ''] = frame.split('\r\n', 2);
    const what = head.split('|')[1] ?? '';
    return `${what} ${start.startsWith('SIP/') ? start : (start.split(' ')[0] ?? '')}`;
  };
  const compare = (then: string, said: string): void => {
    if (kindOf(then) !== kindOf(said)) {
      differences.push(`${then}\n--- is now\n${said}`);
      return;
    }
    learn(then.split('\r\n', 1)[0] ?? '', said.split('\r\n', 1)[0] ?? '');
    for (const name of LEARNED) {
      const [before, after] = [then, said].map((text) => new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1] ?? '');
      learn(before ?? '', after ?? '');
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
        // The library acknowledges refusals, too; the server has done that already.
        if (kindOf(frame) === 'sip ACK' && kindOf(next[1]) !== 'sip ACK') return;
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
