import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { MessagePort } from "node:worker_threads";
import type { Doc } from "../bson/values.ts";
import { COMMANDS, dispatch, errorReply } from "../commands/dispatch.ts";
import type { Engine } from "../engine.ts";
import { isSqliteError, storageError } from "../free-space.ts";
import { type Connection, type ConnectionHandlers, createConnection } from "./connection.ts";
import { createPortConnection } from "./port-connection.ts";
import { encodeReply, type Request } from "./wire.ts";

/** A group of requests is committed at the latest after this time. */
const MAX_GROUP_MS = 40;

export type Server = Awaited<ReturnType<typeof startServer>>;

interface Waiting {
  connection: Connection;
  request: Request;
}

/**
 * Serves the wire protocol on a UNIX socket, and over ports. All requests that have arrived at a turn of the event loop run in
 * one SQLite transaction, and no reply is sent before its commit has returned.
 */
export async function startServer(engine: Engine, socketPath: string, failed: (error: Error) => void) {
  const connections = new Set<Connection>();
  let waiting: Waiting[] = [];
  let scheduled = false;
  let nextId = 1;

  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    // Requests that a client sends at once over two connections arrive in two turns, but should share one commit.
    setImmediate(() => setImmediate(runGroup));
  };

  const runGroup = () => {
    scheduled = false;
    try {
      serveGroup();
    } catch (error) {
      // Even the rollback failed: no further guarantees are possible.
      failed(error as Error);
    }
  };

  const serveGroup = () => {
    const group = waiting;
    waiting = [];
    const done = carryOut(engine, group);
    const served = new Set<Connection>();
    for (const { waiting: each, reply } of done) {
      if (each.request.silent) continue;
      each.connection.send(encodeReply(each.request, reply, nextId++ & 0x7fffffff));
      served.add(each.connection);
    }
    for (const connection of served) connection.flush();
    if (done.length < group.length) waiting = [...group.slice(done.length), ...waiting];
    if (waiting.length > 0) schedule();
  };

  const open = (create: (id: number, handlers: ConnectionHandlers) => Connection) => {
    const connection = create(nextId++, {
      request: (request) => {
        waiting.push({ connection, request });
        schedule();
      },
      closed: () => {
        connections.delete(connection);
        engine.transactions.abortConnection(connection.id);
      },
    });
    connections.add(connection);
  };

  const server = createServer((socket) => {
    open((id, handlers) => createConnection(id, socket, handlers));
  });
  rmSync(socketPath, { force: true });
  server.listen(socketPath);
  // Rejects with an error of the server.
  await once(server, "listening");
  chmodSync(socketPath, 0o600);
  server.on("error", failed);

  return {
    /** Serves another thread of this process: see `createPortConnection`. */
    connect: (port: MessagePort): void => {
      open((id, handlers) => createPortConnection(id, port, handlers));
    },
    /** Runs a job that writes, such as expiry, as a separate group between those of the clients. */
    exclusively: <T>(work: () => T): T => {
      try {
        const result = work();
        engine.commit();
        return result;
      } catch (error) {
        try {
          engine.rollback();
        } catch (cause) {
          failed(cause as Error);
        }
        throw error;
      }
    },
    /** True if no request is waiting. */
    get idle(): boolean {
      return waiting.length === 0;
    },
    close: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if (waiting.length > 0) runGroup();
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
}

interface Done {
  waiting: Waiting;
  reply: Doc;
}

/** Runs as many requests of the group as fit into one commit, and commits. */
function carryOut(engine: Engine, group: readonly Waiting[]): Done[] {
  const done: Done[] = [];
  /** Number of requests answered before the first write: a failed commit does not affect them. */
  let safe = 0;
  const start = performance.now();
  try {
    for (const waiting of group) {
      done.push({ waiting, reply: dispatch(engine, waiting.request, waiting.connection.id) });
      if (!engine.file.inTransaction) safe = done.length;
      if (performance.now() - start > MAX_GROUP_MS) break;
    }
    engine.commit();
    return done;
  } catch (error) {
    const lost = group.slice(safe, done.length + 1);
    engine.rollback();
    // If SQLite did not fail, one command did: the others must not be affected.
    if (lost.length > 1 && !isSqliteError(error))
      return [...done.slice(0, safe), ...lost.flatMap((each) => carryOut(engine, [each]))];
    engine.space.refused(error);
    const reply = errorReply(storageError(error));
    // Requests that only read are served anyway, and see nothing of the discarded writes.
    const answers = lost.map((waiting) =>
      lost.length > 1 && isRead(waiting) ? carryOut(engine, [waiting]) : [{ waiting, reply }],
    );
    return [...done.slice(0, safe), ...answers.flat()];
  }
}

/** A request that only reads, outside transactions: the rollback has ended these. */
function isRead({ request: { command } }: Waiting): boolean {
  const [name = ""] = command.keys();
  return COMMANDS.get(name)?.writes !== true && command.get("autocommit") !== false;
}
