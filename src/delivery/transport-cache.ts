import type { TransportSettings } from "../store/documents.ts";
import type { Transport } from "./transport.ts";

export interface TransportCache {
  /** The transport of these settings: equal settings share one, and so its connections. */
  transportFor(settings: TransportSettings): Transport;
  close(): void;
}

/** Keeps one transport for each set of settings that messages use. */
export function createTransportCache(create: (settings: TransportSettings) => Transport): TransportCache {
  const transports = new Map<string, Transport>();
  return {
    transportFor: (settings) => {
      const key = JSON.stringify(settings);
      const known = transports.get(key) ?? create(settings);
      transports.set(key, known);
      return known;
    },
    close: () => {
      for (const transport of transports.values()) transport.close();
      transports.clear();
    },
  };
}
