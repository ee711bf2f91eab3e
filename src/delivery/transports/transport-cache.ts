import { LRUCache } from "lru-cache";
import type { SourceSettings, TransportSettings } from "../../store/policy-document.ts";
import type { Transport } from "./transport.ts";

/** @param source undefined: the machine's own choice */
export type TransportFor = (settings: TransportSettings, source?: SourceSettings) => Transport;

export interface TransportCache {
  /** The transport of these settings from this source: equal ones share one, and so its connections. */
  readonly transportFor: TransportFor;
  close(): void;
}

/** Policies change, and what no message uses any more is to be let go. */
const MAX_TRANSPORTS = 1_000;

/** Keeps one transport for each set of settings and source that messages use. */
export function createTransportCache(create: TransportFor): TransportCache {
  const transports = new LRUCache<string, Transport>({
    max: MAX_TRANSPORTS,
    // Connections in use end after their message.
    dispose: (transport) => transport.close(),
  });
  return {
    transportFor: (settings, source) => {
      const key = JSON.stringify([settings, source]);
      const known = transports.get(key) ?? create(settings, source);
      transports.set(key, known, { noDisposeOnSet: true });
      return known;
    },
    close: () => transports.clear(),
  };
}
