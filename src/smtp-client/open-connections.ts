/** Connections that this worker may have to a destination. */
export interface ConnectionLimit {
  readonly concurrency: number;
  /** The limit exceeds the worker's share: a connection may be used for a moment, but must not stay idle. */
  readonly isLent?: boolean | undefined;
}

/** A connection that counts for a destination. */
export interface CountedConnection {
  /**
   * The connection becomes idle.
   * @param end called when it must close, possibly immediately
   */
  rest(end: () => void): void;
  /** The connection is used again. */
  wake(): void;
  /** The connection no longer counts. */
  gone(): void;
}

/**
 * Connections of this worker to one destination, in all pools, because a provider counts them all. Deliveries observe
 * the limit themselves. If there are more connections than the limit permits, idle ones are closed, the longest idle
 * first.
 */
export interface OpenConnections {
  /** Counts one more connection, and closes idle ones for it. */
  add(): CountedConnection;
  /** Maximum idle time of a connection. */
  restMs(): number;
  /** The limit has changed. */
  trim(): void;
}

/** Long enough for the next message of a burst. */
const LENT_REST_MS = 1_000;

export function createOpenConnections(limit: () => ConnectionLimit): OpenConnections {
  const all = new Set<CountedConnection>();
  /** Idle connections, the longest idle first, with their close functions. */
  const idle = new Map<CountedConnection, () => void>();

  function trim(): void {
    for (const [connection, end] of idle) {
      if (all.size <= limit().concurrency) return;
      connection.gone();
      end();
    }
  }

  return {
    trim,
    restMs: () => (limit().isLent ? LENT_REST_MS : Number.POSITIVE_INFINITY),
    add: () => {
      const connection: CountedConnection = {
        rest: (end) => {
          idle.set(connection, end);
          trim();
        },
        wake: () => void idle.delete(connection),
        gone: () => {
          idle.delete(connection);
          all.delete(connection);
        },
      };
      all.add(connection);
      trim();
      return connection;
    },
  };
}
