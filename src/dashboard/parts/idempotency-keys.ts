import { useRef } from "react";

/** Keys with which the server recognizes a repeated request. */
export interface IdempotencyKeys {
  /** The same key for the same request until it succeeds: a retry after a lost response sends nothing twice. */
  keyFor(request: unknown): string;
  /** The request has succeeded: the next request gets a new key even if it is equal. */
  renew(): void;
}

/** The server refuses a known key with another body, so that a changed request gets a new key. */
export function createIdempotencyKeys(random: () => string = () => crypto.randomUUID()): IdempotencyKeys {
  let current: { readonly request: string; readonly key: string } | undefined;
  return {
    keyFor: (request) => {
      const text = JSON.stringify(request);
      if (current?.request !== text) current = { request: text, key: random() };
      return current.key;
    },
    renew: () => {
      current = undefined;
    },
  };
}

/** Idempotency keys of one form. */
export function useIdempotencyKeys(): IdempotencyKeys {
  const keys = useRef<IdempotencyKeys>(undefined);
  keys.current ??= createIdempotencyKeys();
  return keys.current;
}
