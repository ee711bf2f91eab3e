import { type EventEmitter, once } from "node:events";
import { isIP } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type {
  Metadata,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { Clock } from "../shared/clock.ts";
import { Fault, fault } from "../shared/fault.ts";
import { isTraceId, newTraceId } from "../shared/ids.ts";
import type { Logger } from "../shared/logger.ts";
import type { Admission } from "./admission.ts";
import { callDefinition, type Handlers } from "./bridge.ts";
import { identityIn } from "./caller-identity.ts";
import type { Credentials, HandlerContext } from "./callers.ts";
import type { CallRunner } from "./run-call.ts";
import { type TracedFault, toServiceError } from "./status.ts";

export interface ServeCallsOptions {
  readonly admission: Admission;
  readonly calls: CallRunner;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Converts the handlers of a service for grpc-js. */
export type ServeCalls = <S extends GenServiceMethods, R>(
  service: GenService<S>,
  handlers: Handlers<S, HandlerContext, R>,
) => UntypedServiceImplementation;

type Unary = ServerUnaryCall<unknown, unknown>;
type Uploading = ServerReadableStream<unknown, unknown>;
type Downloading = ServerWritableStream<unknown, unknown>;
type Duplex = ServerDuplexStream<unknown, unknown>;
type Answer = (request: never, context: HandlerContext) => Promise<unknown>;
type Stream = (request: never, context: HandlerContext) => AsyncIterable<unknown>;

/** Passes only admitted calls to a handler, limited to the rights of their role, and answers thrown errors as faults. */
export function createServeCalls({ admission, calls, clock, log }: ServeCallsOptions): ServeCalls {
  const failureOf = createCallFailure(log);

  /** Creates the context of a call. `settle` must be called when a disconnect of the caller no longer matters. */
  function open(call: Unary | Uploading | Downloading | Duplex) {
    const { signal, settle } = abortable(call);
    const request = "request" in call ? call.request : requestsOf(call, signal);
    const traceId = traceIdOf(request, clock);
    const address = peerAddress(call.getPeer());
    return { request: request as never, call: { traceId, peerAddress: address, signal }, settle };
  }

  /** @throws Fault auth.caller_invalid */
  function credentials({ metadata }: { readonly metadata: Metadata }): Credentials {
    return { role: admission.roleOf(metadata), identity: identityIn(metadata) };
  }

  function answering(method: DescMethod, handler: Answer) {
    const { name } = method;
    return async (call: Unary | Uploading, reply: sendUnaryData<unknown>): Promise<void> => {
      const { request, call: context, settle } = open(call);
      try {
        const incoming = { ...context, credentials: credentials(call), method, request };
        const response = await calls.run(incoming, (full) => handler(request, full));
        settle();
        reply(null, response);
      } catch (thrown) {
        settle();
        reply(toServiceError(failureOf(thrown, { ...context, name })));
      }
    };
  }

  function streaming(method: DescMethod, handler: Stream) {
    const { name } = method;
    return async (call: Downloading | Duplex): Promise<void> => {
      const { request, call: context, settle } = open(call);
      try {
        const incoming = { ...context, credentials: credentials(call), method, request };
        await calls.run(incoming, (full) => writeAll(call, handler(request, full), context.signal));
        settle();
        call.end();
      } catch (thrown) {
        settle();
        const refused = toServiceError(failureOf(thrown, { ...context, name }));
        // grpc-js ends a stream with the status of the emitted error.
        if (!context.signal.aborted) call.emit("error", refused);
      }
    };
  }

  return (service, handlers) => {
    const implementation: UntypedServiceImplementation = {};
    for (const method of service.methods) {
      const { localName, methodKind } = method;
      admission.guard(callDefinition(service, method).path, method);
      const handler = handlers[localName] as unknown;
      implementation[localName] = (
        methodKind === "unary" || methodKind === "client_streaming"
          ? answering(method, handler as Answer)
          : streaming(method, handler as Stream)
      ) as UntypedServiceImplementation[string];
    }
    return implementation;
  };
}

/** The consumer sets the pace of the handler, which is not asked for more while the connection is full. */
async function writeAll(
  call: Downloading | Duplex,
  responses: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<void> {
  for await (const response of responses) {
    if (signal.aborted) break;
    if (!call.write(response)) await once(call, "drain", { signal });
  }
}

/**
 * Requests of a client stream. A canceling client may end its side normally first. If an incomplete request must not
 * pass for a complete one, its messages mark the last one.
 * @throws AbortError if the connection breaks
 */
async function* requestsOf(call: Uploading | Duplex, signal: AbortSignal): AsyncGenerator<unknown, void> {
  // The end of the requests is not the end of the call. Node's default iterator would end both.
  yield* call.iterator({ destroyOnReturn: false });
  // A broken connection first appears as an end, and as a cancellation after its stream has closed.
  await setImmediate();
  signal.throwIfAborted();
}

/** A signal for a disconnect of the caller before the call is settled. grpc-js reports every end as a cancellation. */
function abortable(call: EventEmitter) {
  const controller = new AbortController();
  let settled = false;
  call.on("cancelled", () => {
    if (!settled) controller.abort(fault("core.timeout"));
  });
  return {
    signal: controller.signal,
    settle: () => {
      settled = true;
    },
  };
}

/** Converts an error of a handler to the fault for the caller, and logs it if necessary. */
export type CallFailure = (
  thrown: unknown,
  call: { readonly traceId: string; readonly name: string; readonly signal: AbortSignal },
) => TracedFault;

export function createCallFailure(log: Logger): CallFailure {
  return (thrown, { traceId, name, signal }) => {
    const failed = Fault.from(thrown);
    // Errors of a handler after its caller has disconnected follow from the disconnect.
    if (!signal.aborted) logUnexpected(log, failed, traceId, name);
    return { fault: failed, traceId };
  };
}

/** Logs unexpected errors and an unavailable store, but not mistakes of callers. */
export function logUnexpected(log: Logger, failed: Fault, traceId: string, operation: string): void {
  if (failed.code === "internal.error") {
    log.error({ err: failed.cause ?? failed, traceId, operation }, "unexpected fault");
  } else if (failed.code === "store.unavailable" || failed.code === "store.full") {
    log.warn({ reason: failed.message, traceId, operation }, "store unavailable");
  }
}

/** Trace id of a submission, or a new one. */
export function traceIdOf(request: unknown, clock: Clock): string {
  if (typeof request === "object" && request !== null && "traceId" in request) {
    if (typeof request.traceId === "string" && isTraceId(request.traceId)) return request.traceId;
  }
  return newTraceId(clock.now());
}

/** `127.0.0.1:4711` or `[::1]:4711` without its port; empty for a peer without an address. */
function peerAddress(peer: string): string {
  const host = peer.slice(0, peer.lastIndexOf(":")).replace(/^\[|\]$/g, "");
  return isIP(host) ? host : "";
}
