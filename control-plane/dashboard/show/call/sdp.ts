/** The SDP of a SIP message, and how an answer differs from its offer, line by line. Pure. */

/** Null: the message has no SDP. */
export function sdpOf(text: string): readonly string[] | null {
  const body = /\r?\n\r?\n([\s\S]*)$/.exec(text)?.[1] ?? '';
  return /^v=0\r?$/m.test(body) ? body.split(/\r?\n/).filter((line) => line !== '') : null;
}

export type DiffLine = { readonly is: 'SAME' | 'OFFER' | 'ANSWER'; readonly text: string };

/** The longest common subsequence: lines that both have in the same order are unchanged. */
export function sdpDifference(offer: readonly string[], answer: readonly string[]): DiffLine[] {
  const width = answer.length + 1;
  const common = new Uint16Array((offer.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] as number;
  for (let i = offer.length - 1; i >= 0; i--) {
    for (let j = answer.length - 1; j >= 0; j--) {
      common[i * width + j] = offer[i] === answer[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < offer.length || j < answer.length) {
    if (i < offer.length && j < answer.length && offer[i] === answer[j]) {
      lines.push({ is: 'SAME', text: offer[i] as string });
      i++;
      j++;
    } else if (i < offer.length && (j >= answer.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ is: 'OFFER', text: offer[i++] as string });
    } else {
      lines.push({ is: 'ANSWER', text: answer[j++] as string });
    }
  }
  return lines;
}
