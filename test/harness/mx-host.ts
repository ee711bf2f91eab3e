import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import path from "node:path";
import { createSecureContext } from "node:tls";
import type { MxBehaviour, MxPhase, MxReceipt } from "./mx-behaviour.ts";
import { serveMxSession } from "./mx-session.ts";

/** A receiving mail server on one address. */
export interface MxHost {
  readonly address: string;
  readonly port: number;
  readonly receipts: readonly MxReceipt[];
  /** Connections since its start, and the maximum that were open concurrently. */
  readonly connections: { readonly total: number; readonly most: number };
  /** Number of commands received in this phase, including refused ones. */
  asked(phase: MxPhase): number;
  /** Changes the behavior, also for open connections. */
  behave(behaviour: MxBehaviour): void;
  close(): Promise<void>;
}

const pem = (name: string) => readFileSync(path.join(import.meta.dirname, "../fixtures/tls", name));

export async function startMxHost(
  address: string,
  port: number,
  initial: MxBehaviour = {},
  onReceipt: (receipt: MxReceipt) => void = () => undefined,
): Promise<MxHost> {
  const secureContext = createSecureContext({ key: pem("relay.key"), cert: pem("relay.crt") });
  const receipts: MxReceipt[] = [];
  const asked = new Map<MxPhase, number>();
  const firstSeenMs = new Map<string, number>();
  const sockets = new Set<Socket>();
  const connections = { total: 0, most: 0 };
  let behaviour = initial;
  let dropped = 0;

  function isGreylisted(from: string, to: string): boolean {
    const { greylistMs } = behaviour;
    if (greylistMs === undefined) return false;
    const pair = `${from} ${to}`;
    const first = firstSeenMs.get(pair);
    if (first === undefined) firstSeenMs.set(pair, performance.now());
    return first === undefined || performance.now() - first < greylistMs;
  }

  function dropsNow(at: MxBehaviour["dropsAt"]): boolean {
    const { dropsAt, drops = Number.POSITIVE_INFINITY } = behaviour;
    if (dropsAt !== at || dropped >= drops) return false;
    dropped++;
    return true;
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    connections.total++;
    connections.most = Math.max(connections.most, sockets.size);
    serveMxSession({
      socket,
      connection: connections.total,
      behaviour: () => behaviour,
      secureContext,
      isOneTooMany: sockets.size > (behaviour.maxConnections ?? Number.POSITIVE_INFINITY),
      isGreylisted,
      dropsNow,
      onCommand: (phase) => asked.set(phase, (asked.get(phase) ?? 0) + 1),
      onMessage: (receipt) => {
        receipts.push(receipt);
        onReceipt(receipt);
      },
    });
  });
  if (!initial.absent) {
    server.listen(port, address);
    await once(server, "listening");
  }

  return {
    address,
    port: (server.address() as AddressInfo | null)?.port ?? port,
    receipts,
    connections,
    asked: (phase) => asked.get(phase) ?? 0,
    behave: (next) => {
      behaviour = next;
      dropped = 0;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}
