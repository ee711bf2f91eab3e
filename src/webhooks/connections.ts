import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { rootCertificates } from "node:tls";

/** Connections to endpoints. No endpoint uses the connections of another, even at the same host and port. */
export interface Connections {
  /** Lends the agent of an endpoint for one request. The caller gives it back when the request is over. */
  lend(endpointId: string, protocol: string): LentAgent;
  /** Counts a new connection until it closes. */
  count(socket: Socket): void;
  /** Closes all connections. */
  close(): void;
}

export interface LentAgent {
  readonly agent: http.Agent;
  /** Closes the endpoint's idle connections. */
  dropIdle(): void;
  giveBack(): void;
}

export interface ConnectionsOptions {
  /** Connections of one endpoint. */
  readonly perEndpoint: number;
  /** Connections of all endpoints, from which idle ones are closed. */
  readonly inAll: number;
  /** Time after which an idle connection closes, in milliseconds. */
  readonly idleMs: number;
  /** PEM of a certificate authority that is trusted in addition to those of Node. */
  readonly extraCa?: string | undefined;
}

interface Pool {
  readonly agent: http.Agent;
  /** Number of requests that use it. */
  users: number;
  /** Closes the pool when it is unused. */
  timer: NodeJS.Timeout | undefined;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { perEndpoint, inAll, idleMs, extraCa } = options;
  /** Least recently used first. */
  const pools = new Map<string, Pool>();
  let open = 0;

  function createAgent(protocol: string): http.Agent {
    // This timeout closes idle sockets only. It is shorter than the timeout of common servers (Node.js: 5 s), so that Hermod
    // closes first.
    const bounds = { keepAlive: true, maxSockets: perEndpoint, maxFreeSockets: perEndpoint, timeout: idleMs };
    if (protocol !== "https:") return new http.Agent(bounds);
    return new https.Agent({
      ...bounds,
      maxCachedSessions: 1,
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
      rejectUnauthorized: true,
      ...(extraCa !== undefined && { ca: [...rootCertificates, extraCa] }),
    });
  }

  function remove(key: string, pool: Pool): void {
    clearTimeout(pool.timer);
    pools.delete(key);
    pool.agent.destroy();
  }

  /** Makes room by closing idle connections, starting with the least recently used endpoints. */
  function evictOldest(): void {
    for (const [key, pool] of pools) {
      if (open < inAll) return;
      if (pool.users === 0) remove(key, pool);
      else closeIdle(pool.agent);
    }
  }

  return {
    lend(endpointId, protocol) {
      const key = `${endpointId} ${protocol}`;
      if (open >= inAll) evictOldest();
      const pool = pools.get(key) ?? { agent: createAgent(protocol), users: 0, timer: undefined };
      pools.delete(key);
      pools.set(key, pool);
      clearTimeout(pool.timer);
      pool.users++;
      return {
        agent: pool.agent,
        dropIdle: () => closeIdle(pool.agent),
        giveBack() {
          pool.users--;
          if (pool.users > 0) return;
          pool.timer = setTimeout(() => remove(key, pool), idleMs);
          pool.timer.unref();
        },
      };
    },

    count(socket) {
      open++;
      socket.once("close", () => {
        open--;
      });
    },

    close() {
      for (const [key, pool] of pools) remove(key, pool);
    },
  };
}

function closeIdle(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}
