/** The agent's version: in its greeting, its User-Agent header and `--version`. */
export const AGENT_VERSION = '0.1.0';
