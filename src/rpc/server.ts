import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import { Health } from "../../gen/health/v1/health_pb.ts";
import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/logger.ts";
import { createAdmission } from "./admission.ts";
import type { ServiceTaker } from "./area.ts";
import type { Authorize } from "./behalf.ts";
import { serviceDefinition } from "./bridge.ts";
import { type CallerRole, type CallerTokens, createMethodCallers } from "./callers.ts";
import { type CoreCalls, READY } from "./calls.ts";
import { MAX_GRPC_MESSAGE_BYTES } from "./channels.ts";
import { createHealthService } from "./health.ts";
import { createLocalCalls, type WireCalls } from "./local.ts";
import { addReflection } from "./reflection.ts";
import { createCallRunner, type Refusal } from "./run-call.ts";
import { createCallFailure, createServeCalls, traceIdOf } from "./serve.ts";

export interface CoreTls {
  /** PEM files. */
  readonly cert: string;
  readonly key: string;
  /** Set: callers must show a certificate of this authority. */
  readonly clientCa?: string | undefined;
}

export interface CoreServerOptions {
  /** What callers present as `authorization: Bearer`. */
  readonly tokens: CallerTokens;
  /** Judges sessions for the methods that need one; missing: nobody has a session. */
  readonly authorize?: Authorize | undefined;
  /** Told of calls that were refused, for the audit log; never throws. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: string;
  readonly port: number;
  readonly tls?: CoreTls | undefined;
}

export interface CoreServer extends ServiceTaker {
  /**
   * For callers of one role in this process, which need no token.
   * @param deadlineMs after this a call fails with `core.timeout`
   */
  localCalls(role: CallerRole, deadlineMs: number): CoreCalls;
  /** For callers of one role in another thread of this process. */
  wireCalls(role: CallerRole): WireCalls;
  /**
   * Starts to serve; resolves to the port.
   * @throws Error with the code EADDRINUSE and the like
   */
  listen(): Promise<number>;
  /** Tells front ends, by the health check of `READY`, whether the core has what it needs to accept anything. */
  setReady(isReady: boolean): void;
  /** Answers no new calls, waits for those under way, at most so long. */
  close(drainMs: number): Promise<void>;
}

/** A caller that vanished without a word is found out by these, streams of its being open or not. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 10_000;

/** The gRPC front of the core: authenticates callers, runs handlers, answers faults with their details. */
export function createCoreServer(options: CoreServerOptions): CoreServer {
  const { host, port, tls, tokens, clock, log, onRefused } = options;
  const callers = createMethodCallers(options.authorize);
  const calls = createCallRunner({ callers, clock, onRefused });
  const admission = createAdmission({ tokens, callers, clock });
  const server = new Server({
    interceptors: [admission.interceptor],
    "grpc.max_receive_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_GRPC_MESSAGE_BYTES,
    "grpc.keepalive_time_ms": KEEPALIVE_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
  });
  const serveCalls = createServeCalls({ admission, calls, clock, log });
  const localCalls = createLocalCalls({
    calls,
    traceIdOf: (request) => traceIdOf(request, clock),
    failureOf: createCallFailure(log),
  });
  /** The empty name is the core itself. */
  const health = createHealthService(["", READY]);
  health.addTo(server);
  const services: GenService<GenServiceMethods>[] = [];

  return {
    localCalls: localCalls.open,
    wireCalls: localCalls.openWire,

    add: ({ service, callers: methodCallers, audits, handlers, readers }) => {
      callers.add(service, methodCallers);
      calls.add(service, audits);
      localCalls.add(service, handlers, readers);
      server.addService(serviceDefinition(service, readers), serveCalls(service, handlers));
      services.push(service as GenService<GenServiceMethods>);
    },

    listen: async () => {
      // No method names the details of errors, yet every refusal carries them.
      addReflection(server, [...services, Health], [file_google_rpc_error_details]);
      const bound = await new Promise<number>((resolve, reject) => {
        const address = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
        server.bindAsync(address, serverCredentials(tls), (error, boundPort) =>
          error ? reject(withCode(error)) : resolve(boundPort),
        );
      });
      health.set("", true);
      health.set(READY, true);
      return bound;
    },

    setReady: (isReady) => health.set(READY, isReady),

    close: async (drainMs) => {
      health.close();
      const force = setTimeout(() => server.forceShutdown(), drainMs);
      const shutdown = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      await Promise.all([shutdown, localCalls.drain(drainMs)]);
      clearTimeout(force);
    },
  };
}

/** The error of `bindAsync` has the system's code in its text alone. */
function withCode(error: Error): NodeJS.ErrnoException {
  const [code] = /\bE[A-Z]{3,}\b/.exec(error.message) ?? [];
  return code === undefined ? error : Object.assign(error, { code });
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
