/** The enumerations of keys and plans. */

/** Scopes of an API key: reading, what TESTERs may do, everything. */
export const SCOPES = ['READ', 'RUN', 'WRITE'] as const;
export type Scope = (typeof SCOPES)[number];

export const TIERS = ['FREE', 'STARTER', 'PRO', 'BUSINESS', 'UNLIMITED'] as const;
export type Tier = (typeof TIERS)[number];
