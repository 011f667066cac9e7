/** What the pages ask: the catalogue's operations, by name. A change makes everything that is shown be asked again. */

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
/** What asks the person for a proof, and resolves once it is given. @returns what ends that */
export const whenProofIsNeeded = (then: () => Promise<void>): (() => void) => {
  prove = then;
  return () => {
    prove = null;
  };
};

/** What is refused for want of a fresh proof is asked for again once that is given. */
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
/** What happens once the session is over, wherever that shows. */
export const whenSessionIsOver = (then: () => void): void => {
  onSessionOver = then;
};
const watch = (error: unknown): void => {
  // Its organization has begun to require one: the page that sets it up takes over.
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
      // What the server has refused it refuses again.
      retry: (count, error) => !(error instanceof RequestFailed && error.status < 500) && count < 2,
    },
  },
});

/** Whatever was asked by somebody, or as nobody in particular, is asked again; what the doors say is the same for everybody. */
export const forgetAnswers = (): void => {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getEntrance' });
  queries.getMutationCache().clear();
};

type Options = {
  /** Asked again after so many milliseconds; false: not by itself. */
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

/** What the server says of one field. */
export const faultOf = (error: unknown, field: string): string | undefined =>
  error instanceof RequestFailed ? error.details.find((d) => d.path === field)?.message : undefined;
