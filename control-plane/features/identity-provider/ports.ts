/** What a log-in through an identity provider needs from outside. */

/** Data for the provider, and data that must come back. `fresh`: requires a new log-in there. */
export type LoginRequest = {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly fresh: boolean;
};
/** `email`: the verified address, in lower case; null: none. `isStrong`: the log-in used more than one factor. */
export type ProviderPerson = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isStrong: boolean;
};

/** The installation's identity provider. Both reject if it is unavailable, or its answer is invalid. */
export interface IdentityProvider {
  readonly name: string;
  readonly issuer: string;
  /** Returns the address to which the browser is sent. */
  begin(asked: LoginRequest): Promise<string>;
  /** `parameters`: the parameters with which the browser has come back. */
  finish(parameters: string, asked: LoginRequest): Promise<ProviderPerson>;
}

declare module '../../ports.ts' {
  interface FeaturePorts {
    /** Null: local accounts only. */
    readonly provider: IdentityProvider | null;
  }
}
