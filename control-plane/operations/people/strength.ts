/**
 * Password strength: common ones, names, keyboard rows, dates and repetitions are recognized at any length (NIST SP
 * 800-63B, 3.1.1.2: a list of common values). The lists are loaded with the first password.
 */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { invalid } from '../../contract/errors.ts';

/** The estimate takes longer with each character; a prefix that is weak counts as weak. */
const JUDGED_CHARACTERS = 64;
/** The score ranges from 0 to 4; 3 means at least 10^8 guesses. */
const MIN_SCORE = 3;

type Judge = (password: string, own: readonly string[]) => { readonly score: number; readonly warning: string | null };

let judge: Promise<Judge> | undefined;

async function loadJudge(): Promise<Judge> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
  });
  return (password, own) => {
    const { score, feedback } = zxcvbn.check(password, [...own]);
    return { score, warning: feedback.warning };
  };
}

/**
 * Requires an acceptable password. `own`: the user's names; `field`: path for the error.
 * @throws ApiError VALIDATION_ERROR that says what is weak
 */
export async function requireStrong(password: Secret, own: readonly string[], field: string): Promise<void> {
  judge ??= loadJudge();
  const words = own
    .flatMap((text) => {
      const parts = text.split(/[^\p{L}\p{N}]+/u);
      return [text, ...parts, parts.join('')];
    })
    .filter((word) => word.length > 2);
  const { score, warning } = (await judge)(password.reveal().slice(0, JUDGED_CHARACTERS), words);
  if (score >= MIN_SCORE) return;
  const why = warning ? ` ${warning}` : '';
  throw invalid([
    { path: [field], message: `is easy to guess.${why} Take several words that have nothing to do with each other.` },
  ]);
}
