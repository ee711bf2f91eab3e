import { createBacklog } from "../../src/delivery/queue/backlog.ts";
import { createCapacity } from "../../src/delivery/queue/capacity.ts";
import type { Started } from "../../src/delivery/queue/entry.ts";
import { createDestinations } from "../../src/delivery/routing/destinations.ts";
import type { MxRoute } from "../../src/delivery/routing/mx-route.ts";
import { createPartitions } from "../../src/leases/partitions.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { createPartitionOf } from "../../src/shared/partition.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import type { PolicyDocument } from "../../src/store/policy-document.ts";
import { memoryPartitions } from "./memory-partitions.ts";

export interface SimulationOptions {
  readonly partitions: number;
  /** Maximum number of concurrent deliveries to one provider, by all workers together. */
  readonly allowance: number;
  /** Duration of the delivery of the next message. */
  readonly tookMs: () => number;
}

export interface SimulatedWorker {
  /** Accepts a waiting message if the worker holds its partition. */
  offer(message: MessageDocument): Promise<void>;
  /** Offset of its round within each second. */
  readonly phaseMs: number;
  round(): Promise<void>;
  /** As on SIGTERM: starts nothing new, and ends when no delivery is running. */
  leave(): void;
  /** Ends with all its connections, without notice. */
  crash(): void;
}

export type Simulation = ReturnType<typeof createSimulation>;

export const TICK_MS = 50;
const ROUND_MS = 1_000;
const CONCURRENCY = 250;
const log = createLogger("silent");

/** Treats each domain as a separate mail provider. */
async function route(domain: string): Promise<MxRoute> {
  const addresses = [{ address: "192.0.2.1", family: 4 as const }];
  const hosts = [{ exchange: `mx.${domain}`, preference: 1, addresses, authenticated: false }];
  return { kind: "hosts", implicit: false, dropped: [], hosts };
}

/**
 * Workers with the real leases, shares, limits and time slices, over a store in memory, in simulated time. A
 * delivery only takes time.
 */
export function createSimulation({ partitions: count, allowance, tookMs }: SimulationOptions) {
  let nowMs = Date.UTC(2030, 0, 1);
  const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
  const store = memoryPartitions(() => nowMs);
  const partitionOf = createPartitionOf(count);
  /** Waiting messages by partition. */
  const queue = Array.from({ length: count }, () => new Map<string, MessageDocument>());
  const owners = new Map<number, SimulatedWorker>();
  const workers = new Set<SimulatedWorker>();
  /** Running deliveries by provider. */
  const connections = new Map<string, number>();
  const delivered = new Map<string, number>();
  /** Events by time. */
  const ends = new Map<number, (() => void)[]>();
  let joined = 0;
  let made = 0;

  const findPolicy = async (accountId: string, name: string): Promise<PolicyDocument> => ({
    _id: `${accountId}.${name}`,
    accountId,
    name,
    default: true,
    transports: [{ kind: "direct", tls: "opportunistic", maxConnections: 5 }],
    updatedAt: new Date(nowMs),
  });

  function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
    counts.set(key, (counts.get(key) ?? 0) + change);
  }

  function join(): SimulatedWorker {
    const workerId = `wrk_${String(joined++).padStart(4, "0")}`;
    const capacity = createCapacity({ slots: CONCURRENCY, bytes: 1e9, slowAfterMs: 3_000 });
    const backlog = createBacklog({ concurrency: CONCURRENCY, capacity });
    const { of, peek, shares } = createDestinations({ findPolicy, route, concurrency: allowance, clock });
    const loaded = new Map<number, number>();
    const underWay = new Set<Started>();
    let dead = false;
    let draining = false;

    const partitions = createPartitions({
      store,
      workerId,
      partitionCount: count,
      clock,
      log,
      deliveries: {
        busy: (partition) => [...underWay].some(({ message }) => message.partition === partition),
        hold: async () => undefined,
        lost: (ids) => {
          for (const partition of ids) {
            loaded.delete(partition);
            for (const id of queue[partition]?.keys() ?? []) backlog.remove(id);
          }
        },
        claims: (isKept) => shares.claims(draining ? [] : backlog.waiting(), isKept),
        divide: (live) => {
          backlog.reconsider(shares.divide(live));
          pump();
        },
      },
    });

    async function enqueue(message: MessageDocument): Promise<void> {
      const epoch = partitions.lease(message.partition)?.epoch;
      if (epoch === undefined || draining || dead) return;
      backlog.add({ message, body: undefined, epoch }, peek(message) ?? (await of(message)));
    }

    /** Loads the waiting messages of newly held partitions. */
    async function load(): Promise<void> {
      for (const partition of partitions.held()) {
        const epoch = partitions.lease(partition)?.epoch;
        if (epoch === undefined || loaded.get(partition) === epoch) continue;
        loaded.set(partition, epoch);
        owners.set(partition, worker);
        for (const message of queue[partition]?.values() ?? []) await enqueue(message);
      }
      pump();
    }

    function pump(): void {
      while (!draining && !dead) {
        const started = backlog.next(nowMs);
        if (!started) return;
        const { _id: id, partition, recipientDomain, accountId } = started.message;
        underWay.add(started);
        queue[partition]?.delete(id);
        add(connections, recipientDomain, 1);
        const endMs = nowMs + Math.max(1, Math.round(tookMs() / TICK_MS)) * TICK_MS;
        const end = () => {
          if (dead) return;
          underWay.delete(started);
          add(connections, recipientDomain, -1);
          add(delivered, accountId, 1);
          backlog.ended(started, "accepted", nowMs);
          pump();
        };
        ends.set(endMs, [...(ends.get(endMs) ?? []), end]);
      }
    }

    const worker: SimulatedWorker = {
      phaseMs: (joined * 7 * TICK_MS) % ROUND_MS,
      offer: async (message) => {
        await enqueue(message);
        pump();
      },
      round: async () => {
        await partitions.round();
        await load();
        if (!draining || underWay.size > 0) return;
        await partitions.stop();
        workers.delete(worker);
      },
      leave: () => {
        draining = true;
        partitions.leave();
      },
      crash: () => {
        dead = true;
        for (const { message } of underWay) add(connections, message.recipientDomain, -1);
        workers.delete(worker);
      },
    };
    workers.add(worker);
    return worker;
  }

  return {
    join,
    workers: () => [...workers],
    /** Number of delivered messages of an account. */
    delivered: (accountId: string) => delivered.get(accountId) ?? 0,
    /** Number of running deliveries to a provider, by all workers. */
    connections: (domain: string) => connections.get(domain) ?? 0,
    async submit(accountId: string, recipientDomain: string): Promise<void> {
      const partition = partitionOf(accountId, "direct", recipientDomain);
      const message = {
        _id: `msg_${made}`,
        traceId: `sx_${made++}`,
        accountId,
        policy: "direct",
        recipientDomain,
        partition,
        priority: "transactional",
        sizeBytes: 1_000,
      } as MessageDocument;
      queue[partition]?.set(message._id, message);
      await owners.get(partition)?.offer(message);
    },
    /** Advances time by one step, ends due deliveries and runs due rounds. */
    async tick(): Promise<void> {
      nowMs += TICK_MS;
      for (const end of ends.get(nowMs) ?? []) end();
      ends.delete(nowMs);
      const due = [...workers].filter(({ phaseMs }) => nowMs % ROUND_MS === phaseMs);
      await Promise.all(due.map((worker) => worker.round()));
    },
  };
}
