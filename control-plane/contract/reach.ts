/** The address under which agents on other hosts reach a control plane, and the settings that are missing for that. Pure. */

/** How this control plane is reached; its schema is in `worker.ts`. */
export type Listening = {
  readonly host: string;
  readonly port: number;
  /** Null: not set. */
  readonly publicUrl: string | null;
  readonly tls: boolean;
};

export type MissingSetting = {
  /** Lines of the environment, as an example. */
  readonly lines: readonly string[];
  /** One sentence. */
  readonly why: string;
};

export type AgentReach = {
  /** `ws://` or `wss://` … `/agent/v1` */
  readonly agentUrl: string;
  /** Only this host reaches it. */
  readonly isLocal: boolean;
  readonly missing: readonly MissingSetting[];
};

const LOCAL = /^(?:localhost|.+\.localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0|\[?::\]?)$/;
const EVERYWHERE = /^(?:0\.0\.0\.0|::)$/;

/** True: the host of this URL leads each host to itself. */
export const isLocalUrl = (url: string): boolean => LOCAL.test(new URL(url).hostname);

/** True: nothing but this host can connect to a socket that listens there (HOST). */
const isLocalHost = (host: string): boolean => LOCAL.test(host) && !EVERYWHERE.test(host);

/** @param origin the address under which this control plane was reached, which counts if no public one is set */
export function reachOf({ host, port, publicUrl, tls }: Listening, origin: string): AgentReach {
  const base = new URL(publicUrl ?? origin);
  const isLocal = isLocalUrl(base.href);
  const isSecure = base.protocol === 'https:';
  const missing: MissingSetting[] = [];
  // A name that somebody used from elsewhere, another port, or TLS that is not ours, are those of a proxy.
  const isProxied = !isLocal && (publicUrl === null || portOf(base) !== port || isSecure !== tls);
  if (isLocalHost(host) && !isProxied)
    missing.push({
      lines: ['HOST=0.0.0.0'],
      why: `It listens on ${host}, which other hosts cannot reach. Behind a proxy on the same host this is right.`,
    });
  if (isLocal)
    missing.push({
      lines: [`CARILLON_PUBLIC_URL=https://carillon.example:${port}`],
      why: 'The address that other hosts use, with a name that leads to this host.',
    });
  if (!tls && (isLocal || !isSecure))
    missing.push({
      lines: ['CARILLON_TLS_CERTIFICATE=/etc/carillon/fullchain.pem', 'CARILLON_TLS_KEY=/etc/carillon/privkey.pem'],
      why: 'Without TLS, passwords, join tokens and results cross the network readable. A proxy with TLS does it, too.',
    });
  return { agentUrl: `${base.origin.replace(/^http/, 'ws')}/agent/v1`, isLocal, missing };
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));
