declare module 'proxy-from-env' {
  /** '' where none is to be used. */
  export function getProxyForUrl(url: string): string;
}
