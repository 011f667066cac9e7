/**
 * fast-check for every test, with one seed, so that results are the same on every host. `PROPERTY_SEED=7 ./scripts/test FILE`
 * tries other values; a failure prints its seed and path.
 */
import fc from 'fast-check';

const SEED = 20_261_122;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? SEED) });

/** Surrogates are no characters by themselves. These are the first, and their number. */
const [SURROGATE, SURROGATES] = [0xd800, 0x800];
const character = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map((n) => String.fromCodePoint(n < SURROGATE ? n : n + SURROGATES));
/** Names that a careless program finds in every object. */
const hazard = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'key', 'ref');

/**
 * Any Unicode text. fast-check's own (`unit: 'binary'`) first makes a table of all characters, which takes a second of processor
 * time.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.array(character, { maxLength }).map((characters) => characters.join('')) },
    { weight: 1, arbitrary: hazard.map((name) => name.slice(0, maxLength)) },
  );

export { default } from 'fast-check';
