/** Every operation of the API, of the core and of all features: name -> row. */
import { type Catalogue, CORE_ROWS } from './contract/catalogue.ts';
import { FEATURE_ROWS } from './feature-sums/rows.ts';

export const CATALOGUE = { ...CORE_ROWS, ...FEATURE_ROWS } satisfies Catalogue;
