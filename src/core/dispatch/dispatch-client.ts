import { type CoreEndpoint, createCoreEndpoints } from "../../rpc/endpoints.ts";
import type { HostPort } from "../../shared/host-port.ts";
import type { Logger } from "../../shared/logger.ts";
import { type DispatchStream, type DispatchStreamOptions, openDispatchStream } from "./dispatch-stream.ts";

export interface DispatchClientOptions extends Omit<DispatchStreamOptions, "endpoint" | "onUp"> {
  /** Addresses of the cores; a name may stand for several. */
  readonly addresses: readonly HostPort[];
  /** All IP addresses of a name. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
  /** Called with the number of cores that dispatch to this worker, whenever it changes. */
  readonly onStreams: (count: number) => void;
  readonly log: Logger;
}

export interface DispatchClient {
  start(): void;
  /** Sends the held partitions to the cores if they have changed. */
  claimChanges(): void;
  stop(): void;
}

/** Subscriptions of a worker to every core, because each core dispatches only the messages that it stores. */
export function createDispatchClient(options: DispatchClientOptions): DispatchClient {
  const { addresses, lookup, onStreams, held, log } = options;
  const streams = new Map<string, DispatchStream>();
  let up = 0;
  let claimed = "";
  const endpoints = createCoreEndpoints({
    addresses,
    lookup,
    onChange: follow,
    onFailure: (host, error) => log.warn({ err: error, host }, "the core's name could not be resolved"),
  });

  function follow(present: ReadonlyMap<string, CoreEndpoint>): void {
    for (const [address, stream] of streams) {
      if (present.has(address)) continue;
      streams.delete(address);
      stream.close();
    }
    for (const [address, endpoint] of present) {
      if (!streams.has(address)) streams.set(address, openDispatchStream({ ...options, endpoint, onUp }));
    }
  }

  function onUp(isUp: boolean): void {
    up += isUp ? 1 : -1;
    onStreams(up);
  }

  function claimChanges(): void {
    const now = held()
      .toSorted((a, b) => a - b)
      .join();
    if (now === claimed) return;
    claimed = now;
    for (const stream of streams.values()) stream.claim();
  }

  return {
    start: endpoints.start,
    claimChanges,
    stop: () => {
      endpoints.stop();
      follow(new Map());
    },
  };
}
