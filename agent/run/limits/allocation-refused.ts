/** The agent refuses the allocation; the run's error carries code and message. */
export class AllocationRefused extends Error {
  override readonly name = 'AllocationRefused';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
