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
import { serviceDefinition } from "./bridge.ts";
import type { Authorize } from "./caller-identity.ts";
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
  /** If set, callers must present a certificate of this authority. */
  readonly clientCa?: string | undefined;
}

export interface CoreServerOptions {
  /** Tokens that callers present as `authorization: Bearer`. */
  readonly tokens: CallerTokens;
  /** Checks sessions for methods that need one; missing: there are no sessions. */
  readonly authorize?: Authorize | undefined;
  /** Called for refused calls, for the audit log. Never throws. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host: string;
  readonly port: number;
  readonly tls?: CoreTls | undefined;
}

export interface CoreServer extends ServiceTaker {
  /**
   * Calls for callers of one role in this process, without a token.
   * @param deadlineMs a call fails with `core.timeout` after this
   */
  localCalls(role: CallerRole, deadlineMs: number): CoreCalls;
  /** Calls for callers of one role in another thread of this process. */
  wireCalls(role: CallerRole): WireCalls;
  /**
   * Starts to serve. Resolves to the port.
   * @throws Error with a code such as EADDRINUSE
   */
  listen(): Promise<number>;
  /** Sets the state of the health check `READY`, which reports to front ends whether the core can accept submissions. */
  setReady(isReady: boolean): void;
  /** Answers no new calls, and waits up to `drainMs` for those in progress. */
  close(drainMs: number): Promise<void>;
}

/** Interval after which a vanished caller is detected, with or without open streams. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 10_000;

/** The gRPC server of the core: authenticates callers, runs handlers, and answers faults with their details. */
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
      // No method refers to the details of errors, but every refusal carries them.
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

/** The error of `bindAsync` has the system's code only in its text. */
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
