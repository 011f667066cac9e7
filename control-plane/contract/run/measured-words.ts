/** The enumerations of what was measured, and of how far it may be trusted. */

/**
 * The scale of a MOS or R: narrow-, wide- or fullband (G.107, G.107.1, G.107.2). Ratings are never averaged or compared across
 * scales.
 */
export const MOS_SCALES = ['nb', 'wb', 'fb'] as const;
export type MosScale = (typeof MOS_SCALES)[number];

export const DELAY_SOURCES = ['RTT', 'RECEIVER_ONLY'] as const;

/** NO_RTP: the endpoint sent, and nothing came back. SILENT: only silence came back. */
export const ONE_WAY_AUDIO = ['NO_RTP', 'SILENT'] as const;

export const VERDICTS = ['VALID', 'SUSPECT', 'VOID'] as const;

/** How a measured value compares with its thresholds; the health of a probe is the worst of its values. */
export const HEALTH_STATES = ['HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];
