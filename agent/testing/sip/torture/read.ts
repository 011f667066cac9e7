/** Reads the message files of this folder; their notation is explained at the head of rfc4475.txt. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Name to message, one character a byte; placeholders for values of an engine's request are filled in by `answering`. */
export function readMessages(file: string): Map<string, string> {
  const text = readFileSync(path.join(import.meta.dirname, file), 'latin1');
  const [, ...sections] = text.split(/^=== /m);
  return new Map(
    sections.map((section) => {
      const lineEnd = section.indexOf('\n');
      return [section.slice(0, lineEnd), onTheWire(section.slice(lineEnd + 1))];
    }),
  );
}

function onTheWire(section: string): string {
  // The empty line before the next name is not part of a body; without a body it ends the headers.
  const hasBody = section.indexOf('\n\n') < section.length - 2;
  const message = (hasBody ? section.slice(0, -1) : section)
    .replaceAll('\\\n', '')
    .replaceAll('\n', '\r\n')
    .replace(/\{hex ([0-9a-f ]+)\}/g, (_, hex: string) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').toString('latin1'),
    )
    .replace(/\{repeat (\d+) ([^}]*)\}/g, (_, times: string, piece: string) => piece.repeat(Number(times)));
  return message.replace('{length}', String(message.length - message.indexOf('\r\n\r\n') - 4));
}

/** A response of the files, adapted to answer a request of the engine. */
export function answering(response: string, request: string): string {
  const value = (name: string): string => new RegExp(`^${name}: (.*)\r$`, 'm').exec(request)?.[1] ?? '';
  return response
    .replace('{branch}', /branch=([^;\s]+)/.exec(value('Via'))?.[1] ?? '')
    .replace('{call-id}', value('Call-ID'))
    .replace('{from}', value('From'))
    .replace('{to}', value('To'));
}
