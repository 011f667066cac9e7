/**
 * fast-check for every test, with one seed: results are the same on every host. `PROPERTY_SEED=7 ./scripts/test FILE`
 * tries other values; a failure prints its seed and path.
 */
import fc from 'fast-check';

const SEED = 20_261_122;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? SEED) });

export { default } from 'fast-check';
