import { LRUCache } from "lru-cache";
import type { PolicyDocument, TransportSettings } from "../../store/policy-document.ts";
import type { Transport } from "./transport.ts";

/** Properties of a policy that distinguish transports, in addition to the transport settings. */
export type TransportPolicy = Pick<PolicyDocument, "source" | "storedBy">;

export type TransportFor = (settings: TransportSettings, policy: TransportPolicy) => Transport;

export interface TransportCache {
  /** The transport of these settings under this policy: equal settings share a transport and its connections. */
  readonly transportFor: TransportFor;
  close(): void;
}

/** Policies change, so transports without messages are closed. */
const MAX_TRANSPORTS = 1_000;

/** Keeps one transport for each set of settings, source and author in use. */
export function createTransportCache(create: TransportFor): TransportCache {
  const transports = new LRUCache<string, Transport>({
    max: MAX_TRANSPORTS,
    // Connections in use end after their message.
    dispose: (transport) => transport.close(),
  });
  return {
    transportFor: (settings, { source, storedBy = "operator" }) => {
      const key = JSON.stringify([settings, source, storedBy]);
      const known = transports.get(key) ?? create(settings, { ...(source && { source }), storedBy });
      transports.set(key, known, { noDisposeOnSet: true });
      return known;
    },
    close: () => transports.clear(),
  };
}
