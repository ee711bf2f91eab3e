/** What of a destination's connections this worker may have. */
export interface ConnectionLimit {
  readonly concurrency: number;
  /** That is more than its share: it may have one for a moment, and lie idle no longer. */
  readonly isLent?: boolean | undefined;
}

/** A connection that counts for a destination. */
export interface CountedConnection {
  /**
   * It lies idle.
   * @param end is called when it has to go, perhaps at once
   */
  rest(end: () => void): void;
  /** It is used again. */
  wake(): void;
  /** It counts no more. */
  gone(): void;
}

/**
 * This worker's connections to one destination, in whatever pools they are: a provider counts them all. Deliveries keep
 * to the limit anyway; those that lie idle go when there are more than it permits, the one that has lain longest first.
 */
export interface OpenConnections {
  /** Counts one more, which idle ones make room for. */
  add(): CountedConnection;
  /** How long one may lie idle, at most. */
  restMs(): number;
  /** The limit has changed. */
  trim(): void;
}

/** Long enough for the next message of a burst. */
const LENT_REST_MS = 1_000;

export function createOpenConnections(limit: () => ConnectionLimit): OpenConnections {
  const all = new Set<CountedConnection>();
  /** Those that lie idle, the longest first, and how to end them. */
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
