/** The encoding of an answer, by what its client takes. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** The preferred one is first. A quality of 0 refuses an encoding (RFC 9110, 12.5.3). */
export function encodingFor(accepted: string | undefined): Encoding {
  const words = (accepted ?? '').toLowerCase().split(',', 20);
  const named = new Map(
    words.map((word) => {
      const [name = '', quality = 'q=1'] = word.split(';').map((part) => part.trim());
      return [name, Number(quality.slice(2)) > 0] as const;
    }),
  );
  return (['br', 'gzip'] as const).find((one) => named.get(one)) ?? 'identity';
}
