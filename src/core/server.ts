import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import type { Clock } from "../shared/clock.ts";
import { Fault, fault } from "../shared/fault.ts";
import { isTraceId, newTraceId } from "../shared/ids.ts";
import type { Logger } from "../shared/logger.ts";
import { equalInConstantTime } from "../shared/secrets.ts";
import { MAX_GRPC_MESSAGE_BYTES } from "./client.ts";
import { serviceDefinition, type UnaryHandlers, unaryMethods } from "./grpc-bridge.ts";
import type { HandlerContext } from "./handler-context.ts";
import { addReflection } from "./reflection.ts";
import { toServiceError } from "./status-details.ts";

export interface CoreTls {
  /** PEM files. */
  readonly cert: string;
  readonly key: string;
  /** Set: callers must show a certificate of this authority. */
  readonly clientCa?: string | undefined;
}

export interface CoreServerOptions {
  readonly host: string;
  readonly port: number;
  /** What callers present as `authorization: Bearer`. */
  readonly token: string;
  readonly tls?: CoreTls | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface CoreServer {
  add<S extends GenServiceMethods>(service: GenService<S>, handlers: UnaryHandlers<S, HandlerContext>): void;
  /**
   * Starts to serve; resolves to the port.
   * @throws Error with the code EADDRINUSE and the like
   */
  listen(): Promise<number>;
  /** Answers no new calls, waits for those under way, at most so long. */
  close(drainMs: number): Promise<void>;
}

/** The gRPC front of the core: authenticates callers, runs handlers, answers faults with their details. */
export function createCoreServer({ host, port, token, tls, clock, log }: CoreServerOptions): CoreServer {
  const server = new Server({
    "grpc.max_receive_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_GRPC_MESSAGE_BYTES,
  });
  const health = new HealthImplementation({ "": "NOT_SERVING" });
  health.addToServer(server);
  const services: GenService<GenServiceMethods>[] = [];

  function authenticate(call: ServerUnaryCall<unknown, unknown>): void {
    const [given = ""] = call.metadata.get("authorization");
    if (!equalInConstantTime(String(given), `Bearer ${token}`)) throw fault("auth.caller_invalid");
  }

  function serve(name: string, handler: (request: never, context: HandlerContext) => Promise<unknown>) {
    return async (call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>): Promise<void> => {
      const traceId = traceIdOf(call.request, clock);
      try {
        authenticate(call);
        reply(
          null,
          await handler(call.request as never, { traceId, peerAddress: peerAddress(call.getPeer()) }),
        );
      } catch (thrown) {
        const failed = Fault.from(thrown);
        logUnexpected(log, failed, traceId, name);
        reply(toServiceError({ fault: failed, traceId }));
      }
    };
  }

  return {
    add: (service, handlers) => {
      const implementation: UntypedServiceImplementation = {};
      for (const method of unaryMethods(service)) {
        const handler = handlers[method.localName] as (
          request: never,
          context: HandlerContext,
        ) => Promise<unknown>;
        implementation[method.localName] = serve(method.name, handler) as handleUnaryCall<unknown, unknown>;
      }
      server.addService(serviceDefinition(service), implementation);
      services.push(service as GenService<GenServiceMethods>);
    },

    listen: async () => {
      addReflection(server, services);
      const bound = await new Promise<number>((resolve, reject) => {
        const address = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
        server.bindAsync(address, serverCredentials(tls), (error, boundPort) =>
          error ? reject(error) : resolve(boundPort),
        );
      });
      health.setStatus("", "SERVING");
      return bound;
    },

    close: async (drainMs) => {
      health.setStatus("", "NOT_SERVING");
      const force = setTimeout(() => server.forceShutdown(), drainMs);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(force);
    },
  };
}

/** What nobody foresaw, and the store being away, goes to the log; a caller's mistakes do not. */
export function logUnexpected(log: Logger, failed: Fault, traceId: string, operation: string): void {
  if (failed.code === "internal.error") {
    log.error({ err: failed.cause ?? failed, traceId, operation }, "unexpected fault");
  } else if (failed.code === "store.unavailable") {
    log.warn({ reason: failed.message, traceId, operation }, "store unavailable");
  }
}

/** The trace id that a submission brings along, or a new one. */
export function traceIdOf(request: unknown, clock: Clock): string {
  if (typeof request === "object" && request !== null && "traceId" in request) {
    if (typeof request.traceId === "string" && isTraceId(request.traceId)) return request.traceId;
  }
  return newTraceId(clock.now());
}

/** `127.0.0.1:4711` or `[::1]:4711` without its port; empty for a peer that has no address. */
function peerAddress(peer: string): string {
  const host = peer.slice(0, peer.lastIndexOf(":")).replace(/^\[|\]$/g, "");
  return isIP(host) ? host : "";
}

function serverCredentials(tls: CoreTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const pair = { cert_chain: readFileSync(tls.cert), private_key: readFileSync(tls.key) };
  return ServerCredentials.createSsl(
    tls.clientCa ? readFileSync(tls.clientCa) : null,
    [pair],
    tls.clientCa !== undefined,
  );
}
