import { useRef } from "react";

/** Keys by which the server knows a request again. */
export interface IdempotencyKeys {
  /** The same key for the same request, until it has succeeded: a retry after a lost answer sends nothing twice. */
  keyFor(request: unknown): string;
  /** The request has succeeded: the next one, though it is equal, is another one. */
  renew(): void;
}

/** The server refuses a key that it knows with another body, so that a changed request gets a new key. */
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
