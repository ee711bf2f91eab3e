import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem.ts";

const MAX_TRIES = 3;
const MAX_WAIT_MS = 30_000;

/** Answers of the API are fresh for this long; changes of the page itself make them stale at once. */
const FRESH_MS = 5_000;

/**
 * Requests are sent whatever the browser says of its network, and fail with a sentence. Hermod may be on the same machine, and a
 * change that waited for the network would be sent later, when its user has done something else.
 */
const NETWORK = "always";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: NETWORK,
        refetchOnReconnect: true,
        retry: (tries, error) => tries < MAX_TRIES - 1 && mayPass(error),
        retryDelay: (tries, error) => {
          const named = error instanceof Problem ? error.retryAfterS : undefined;
          return Math.min(named === undefined ? 500 * 2 ** tries : named * 1_000, MAX_WAIT_MS);
        },
      },
      // Passwords go in and secrets come out: nothing is kept once its form is closed.
      mutations: { retry: false, gcTime: 0, networkMode: NETWORK },
    },
  });
}

/** Whether the same request can succeed later without a change. */
export function mayPass(error: Error): boolean {
  if (!(error instanceof Problem)) return false;
  return error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500;
}
