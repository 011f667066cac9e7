/** The requests of the pages: the catalogue's operations, by name. A change refetches everything that is shown. */

import { ROUTES } from 'virtual:routes';
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type CallInput, type Client, type ClientAnswer, clientOf, RequestFailed } from '../contract/call.ts';
import type { OperationName } from '../contract/catalogue.ts';

export { RequestFailed } from '../contract/call.ts';

const ask = clientOf(ROUTES, '/api/v1', null);

let prove: (() => Promise<void>) | null = null;
/** Asks the user for a confirmation, and resolves once it is given. @returns a function that ends it */
export const whenProofIsNeeded = (then: () => Promise<void>): (() => void) => {
  prove = then;
  return () => {
    prove = null;
  };
};

/** A request that was refused for lack of confirmation is repeated after the confirmation. */
export const call: Client = async (name, input, headers) => {
  try {
    return await ask(name, input, headers);
  } catch (error) {
    if (!(error instanceof RequestFailed && error.code === 'PROOF_REQUIRED') || !prove) throw error;
    const isProved = await prove().then(
      () => true,
      () => false,
    );
    if (!isProved) throw error;
    return ask(name, input, headers);
  }
};

const isOver = (error: unknown): boolean => error instanceof RequestFailed && error.status === 401;

let onSessionOver: () => void = () => undefined;
/** Called when the session has ended, whichever request shows it. */
export const whenSessionIsOver = (then: () => void): void => {
  onSessionOver = then;
};
const watch = (error: unknown): void => {
  // The organization has started to require a second factor: its set-up page takes over.
  if (error instanceof RequestFailed && error.code === 'SECOND_FACTOR_REQUIRED')
    void queries.invalidateQueries({ queryKey: ['getMe', {}] });
  if (isOver(error)) onSessionOver();
};

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: watch }),
  mutationCache: new MutationCache({ onError: watch }),
  defaultOptions: {
    queries: {
      staleTime: 2000,
      // A request that the server has refused would be refused again.
      retry: (count, error) => !(error instanceof RequestFailed && error.status < 500) && count < 2,
    },
  },
});

/** Forgets everything that depends on the user, so that it is refetched. Answers for log-in pages are the same for everyone. */
export const forgetAnswers = (): void => {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getEntrance' });
  queries.getMutationCache().clear();
};

type Options = {
  /** The refetch interval in milliseconds; false: no refetching. */
  readonly everyMs?: number | false;
  readonly enabled?: boolean;
};

export function useCall<N extends OperationName>(name: N, input: CallInput<N>, options: Options = {}) {
  return useQuery<ClientAnswer<N>>({
    queryKey: [name, input],
    queryFn: () => call(name, input),
    refetchInterval: options.everyMs ?? false,
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
  });
}

/** Asks for what a page will need, while its script is still being loaded. */
export const askAhead = <N extends OperationName>(name: N, input: CallInput<N>): void =>
  void queries.prefetchQuery({ queryKey: [name, input], queryFn: () => call(name, input) });

export function useChange<N extends OperationName>(name: N, onDone?: (answer: ClientAnswer<N>) => void) {
  const client = useQueryClient();
  return useMutation<ClientAnswer<N>, Error, CallInput<N>>({
    mutationFn: (input) => call(name, input),
    onSuccess: async (answer) => {
      onDone?.(answer);
      await client.invalidateQueries();
    },
  });
}

/** The server's message about one field. */
export const faultOf = (error: unknown, field: string): string | undefined =>
  error instanceof RequestFailed ? error.details.find((d) => d.path === field)?.message : undefined;
