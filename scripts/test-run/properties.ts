/**
 * fast-check for every test, with one seed: what passed once passes again, here and on every other host. `PROPERTY_SEED=7 ./scripts/test
 * FILE` tries other values; what fails there says its seed and path.
 */
import fc from 'fast-check';

const SEED = 20_261_122;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? SEED) });

export { default } from 'fast-check';
