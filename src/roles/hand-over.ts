import { lookup } from "node:dns/promises";
import { createDispatchClient } from "../core/dispatch/dispatch-client.ts";
import { createHandOver } from "../delivery/queue/hand-over.ts";
import { parseHostPorts } from "../shared/host-port.ts";
import type { Process } from "./process.ts";
import type { OpenStore } from "./store.ts";
import { callerTls } from "./tls.ts";
import type { RunningWorker } from "./worker.ts";

export interface HandOverParts {
  readonly opened: OpenStore;
  readonly worker: RunningWorker;
  readonly token: string;
}

/** Has the cores of other processes hand what they store to this process's worker; its own core does so directly. */
export function composeHandOver(process: Process, { opened, worker, token }: HandOverParts): void {
  const { config, clock, log, lifecycle, metrics } = process;
  // A store that only this process can open has no other core.
  if (config.grpc.address === undefined || opened.exclusive) return;
  const handOver = createHandOver({ messages: opened.store.messages, offer: worker.offer, clock, log });
  const client = createDispatchClient({
    addresses: parseHostPorts(config.grpc.address),
    lookup: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    token,
    tls: callerTls(config),
    workerId: worker.id,
    held: worker.held,
    onMessages: (ids) => {
      metrics.handovers.inc({ via: "stream" }, ids.length);
      handOver(ids);
    },
    onStreams: (count) => metrics.dispatchStreams.set(count),
    random: Math.random,
    log,
  });
  client.start();
  lifecycle.defer("hand-over", () => client.stop());
}
