/** Of the control plane: told in its backups. */
export const VERSION = '0.1.0';
