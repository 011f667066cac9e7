/** The exit codes of `carillon`. Pipelines read them, so a number keeps its meaning. */
export const EXIT = {
  GOOD: 0,
  /** The command line, or a file that it names, cannot be used. */
  USAGE: 1,
  /** `plan` found differences, or `apply` was not confirmed. */
  CHANGES_PENDING: 2,
  /** The run ended as CANNOT_RUN_FOR_NOW: no worker, no capacity, the plan. */
  COULD_NOT_RUN: 3,
  /** The API refused the request, or was not reached. */
  API: 4,
  /** The run ended as FAILED. */
  RUN_FAILED: 5,
  /** The run is VOID, or placed no call: its figures cannot be judged. */
  NOT_VALID: 98,
  THRESHOLD_CROSSED: 99,
  /** The run was cancelled, by Ctrl-C or elsewhere. */
  ABORTED: 105,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command: the message is printed, and the process exits with the code. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly code: ExitCode;
  constructor(code: ExitCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const usage = (message: string): Stop => new Stop(EXIT.USAGE, message);
