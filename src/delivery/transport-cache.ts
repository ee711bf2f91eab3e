import type { SourceSettings, TransportSettings } from "../store/documents.ts";
import type { Transport } from "./transport.ts";

/** @param source undefined: the machine's own choice */
export type TransportFor = (settings: TransportSettings, source?: SourceSettings) => Transport;

export interface TransportCache {
  /** The transport of these settings from this source: equal ones share one, and so its connections. */
  readonly transportFor: TransportFor;
  close(): void;
}

/** Keeps one transport for each set of settings and source that messages use. */
export function createTransportCache(create: TransportFor): TransportCache {
  const transports = new Map<string, Transport>();
  return {
    transportFor: (settings, source) => {
      const key = JSON.stringify([settings, source]);
      const known = transports.get(key) ?? create(settings, source);
      transports.set(key, known);
      return known;
    },
    close: () => {
      for (const transport of transports.values()) transport.close();
      transports.clear();
    },
  };
}
