/** Random numbers from the system for the media threads, with one system call for many. */
import { randomFillSync } from 'node:crypto';

const randomWords = new Uint32Array(1024);
let randomWordsUsed = randomWords.length;

/**
 * A number from 0 to 1 from the system's generator: initial numbers must not be guessable (RFC 3550, 5.1). Numbers are
 * read in blocks of a thousand.
 */
export function systemRandom(): number {
  if (randomWordsUsed === randomWords.length) {
    randomFillSync(randomWords);
    randomWordsUsed = 0;
  }
  return randomWords[randomWordsUsed++]! / 0x1_0000_0000;
}
