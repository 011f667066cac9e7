declare module 'proxy-from-env' {
  /** '' if no proxy is used. */
  export function getProxyForUrl(url: string): string;
}
