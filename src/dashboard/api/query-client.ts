import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem.ts";

const MAX_TRIES = 3;
const MAX_WAIT_MS = 30_000;

/** Responses of the API are fresh for this long. Changes made on the page make them stale at once. */
const FRESH_MS = 5_000;

/**
 * Requests are sent even if the browser reports no network, and fail with a message. Hermod may run on the same machine, and a
 * change that waited for the network would be sent later, when the user has moved on.
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
      // Passwords and secrets pass through: nothing is kept after the form closes.
      mutations: { retry: false, gcTime: 0, networkMode: NETWORK },
    },
  });
}

/** Whether the same request can succeed later unchanged. */
export function mayPass(error: Error): boolean {
  if (!(error instanceof Problem)) return false;
  return error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500;
}
