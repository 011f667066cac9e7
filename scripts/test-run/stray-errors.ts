/**
 * Handles errors that no test has caught in tap's processes (`node --import`), without async hooks. tap finds the test of such an
 * error through `async-hook-domain`, which follows every promise and takes a fifth of the processor time of tests of the control
 * plane. Here the newest running test reports the error. The report, and the failure of the file, are the same.
 */
import { executionAsyncResource } from 'node:async_hooks';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

type Kind = 'uncaughtException' | 'unhandledRejection';
type Report = (error: unknown, kind: Kind) => void;

/** The domains in order of creation. The first is that of the file itself. */
const open: Domain[] = [];
const report = (error: unknown, kind: Kind): void =>
  (open.findLast((domain) => domain.runs) ?? open[0])?.onerror(error, kind);
const onException = (error: unknown): void => report(error, 'uncaughtException');
const onRejection = (error: unknown): void => report(error, 'unhandledRejection');

/** A domain as tap uses it: one for each test, destroyed at the test's end. */
export class Domain {
  readonly onerror: Report;
  /** While a test creates its domain, this is the test's resource. The file's second domain belongs to no test. */
  readonly #owner = executionAsyncResource() as { readonly test?: { readonly started?: boolean } };

  constructor(onerror: Report) {
    this.onerror = onerror;
    if (open.push(this) > 1) return;
    process.on('uncaughtException', onException);
    process.on('unhandledRejection', onRejection);
  }

  /** True: the test has started. Tests that wait for their turn have domains, too. */
  get runs(): boolean {
    return this.#owner.test?.started === true;
  }

  destroy(): void {
    const at = open.indexOf(this);
    if (at < 0) return;
    open.splice(at, 1);
    if (open.length > 0) return;
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  }
}

if (isMainThread) {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'async-hook-domain') return next(specifier, context);
      // tap is loaded once. Later modules are resolved as without this hook.
      queueMicrotask(() => hooks.deregister());
      return { url: import.meta.url, format: 'module-typescript', shortCircuit: true };
    },
  });
}
