// This replaces grpc-health-check, which loads a second protobuf implementation and writes to callers that do not read.

import {
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from "@grpc/grpc-js";
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "../../gen/health/v1/health_pb.ts";
import { serviceDefinition } from "./bridge.ts";

/** The standard health check of gRPC, `grpc.health.v1`, for any client. */
export interface HealthService {
  addTo(server: Server): void;
  /** @param service one of the initial names */
  set(service: string, isServing: boolean): void;
  /**
   * Marks all services as not serving, notifies watching calls and ends them, so that a closing server does not wait
   * for them.
   */
  close(): void;
}

interface Answer {
  readonly status: ServingStatus;
}

type Watch = ServerWritableStream<HealthCheckRequest, Answer>;

/** @param services names that can be checked; initially none is serving */
export function createHealthService(services: readonly string[]): HealthService {
  const statuses = new Map(services.map((service) => [service, ServingStatus.NOT_SERVING]));
  /** Watching calls with their notification functions. A call adds and removes itself. */
  const watches = new Map<Watch, () => void>();

  function set(service: string, isServing: boolean): void {
    statuses.set(service, isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    for (const notify of watches.values()) notify();
  }

  function check(call: ServerUnaryCall<HealthCheckRequest, Answer>, reply: sendUnaryData<Answer>): void {
    const { service } = call.request;
    const known = statuses.get(service);
    if (known === undefined) reply({ code: status.NOT_FOUND, details: "Unknown service." });
    else reply(null, { status: known });
  }

  function list(_call: unknown, reply: sendUnaryData<unknown>): void {
    reply(null, {
      statuses: Object.fromEntries([...statuses].map(([name, now]) => [name, { status: now }])),
    });
  }

  function watch(call: Watch): void {
    let reported: ServingStatus | undefined;
    const notify = () => {
      const now = statuses.get(call.request.service) ?? ServingStatus.SERVICE_UNKNOWN;
      // A slow reader is notified when there is capacity again, with the state at that time.
      if (now === reported || call.writableNeedDrain) return;
      reported = now;
      call.write({ status: now });
    };
    watches.set(call, notify);
    call.on("drain", notify);
    call.on("cancelled", () => watches.delete(call));
    notify();
  }

  return {
    addTo: (server) => server.addService(serviceDefinition(Health), { check, list, watch }),
    set,
    close: () => {
      for (const service of statuses.keys()) set(service, false);
      for (const call of watches.keys()) call.end();
      watches.clear();
    },
  };
}
