/** What the features of features.ts have in rows.ts. Generated: npm run generate. */
import { BODIES as BODIES_OF_CAPACITY, ROWS as ROWS_OF_CAPACITY } from './features/capacity/rows.ts';

/** Operations of the API. */
export const FEATURE_ROWS = { ...ROWS_OF_CAPACITY } as const;
/** Examples of their bodies. */
export const FEATURE_BODIES = { ...BODIES_OF_CAPACITY } as const;
