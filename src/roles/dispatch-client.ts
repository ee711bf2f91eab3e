import { lookup } from "node:dns/promises";
import { createDispatchClient } from "../core/dispatch/dispatch-client.ts";
import { createLoadDispatched } from "../delivery/queue/load-dispatched.ts";
import { startBackground } from "../shared/background.ts";
import { parseHostPorts } from "../shared/host-port.ts";
import { dispatchBackground } from "./background.ts";
import type { Process } from "./process.ts";
import type { OpenStore } from "./store.ts";
import { callerTls } from "./tls.ts";
import type { BuiltWorker } from "./worker.ts";

export interface DispatchClientParts {
  readonly opened: OpenStore;
  readonly worker: BuiltWorker;
  readonly token: string;
}

/** Lets the cores of other processes dispatch stored messages to the worker of this process; its own core does so directly. */
export function composeDispatchClient(
  process: Process,
  { opened, worker, token }: DispatchClientParts,
): void {
  const { config, clock, log, lifecycle, metrics } = process;
  // A store that only this process can open has no other core.
  if (config.grpc.address === undefined || opened.exclusive) return;
  const { messages } = opened.store.acrossAccounts;
  const loadDispatched = createLoadDispatched({ messages, receive: worker.receive, clock, log });
  const client = createDispatchClient({
    addresses: parseHostPorts(config.grpc.address),
    lookup: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    token,
    tls: callerTls(config),
    workerId: worker.id,
    held: worker.held,
    onMessages: (ids) => {
      metrics.dispatches.inc({ via: "stream" }, ids.length);
      loadDispatched(ids);
    },
    onStreams: (count) => metrics.dispatchStreams.set(count),
    random: Math.random,
    log,
  });
  for (const work of dispatchBackground(client)) startBackground(work, process);
  client.start();
  lifecycle.defer("dispatch", () => client.stop());
}
