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

/** The standard health check of gRPC, `grpc.health.v1`: anybody may ask it. */
export interface HealthService {
  addTo(server: Server): void;
  /** @param service a name that was there from the beginning */
  set(service: string, isServing: boolean): void;
  /** Nothing serves any more; who watches is told so, and its call ends: a server that closes waits for none of them. */
  close(): void;
}

interface Answer {
  readonly status: ServingStatus;
}

type Watch = ServerWritableStream<HealthCheckRequest, Answer>;

/** @param services what can be asked for; none of it serves yet */
export function createHealthService(services: readonly string[]): HealthService {
  const statuses = new Map(services.map((service) => [service, ServingStatus.NOT_SERVING]));
  /** Calls that watch, with what tells them of a change; a call enters and leaves by itself. */
  const watches = new Map<Watch, () => void>();

  function set(service: string, isServing: boolean): void {
    statuses.set(service, isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    for (const tell of watches.values()) tell();
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
    let told: ServingStatus | undefined;
    const tell = () => {
      const now = statuses.get(call.request.service) ?? ServingStatus.SERVICE_UNKNOWN;
      // Who does not read is told once there is room again, and then only what holds by that time.
      if (now === told || call.writableNeedDrain) return;
      told = now;
      call.write({ status: now });
    };
    watches.set(call, tell);
    call.on("drain", tell);
    call.on("cancelled", () => watches.delete(call));
    tell();
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
