/** The version of the control plane, for its backups. */
export const VERSION = '0.1.0';
