/** The version of the control plane and of its command line: `--version`, `GET /whoami`, backups, the doctor. */
export const VERSION = '0.1.0';
