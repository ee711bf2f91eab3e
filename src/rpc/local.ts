import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { DescMethod } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { Fault, fault } from "../shared/fault.ts";
import { untilAborted } from "../shared/until-aborted.ts";
import {
  asBuffer,
  type CallDefinition,
  callDefinition,
  encodeRequest,
  type Handlers,
  type Readers,
} from "./bridge.ts";
import type { CallerIdentity } from "./caller-identity.ts";
import type { CallerRole, Credentials, HandlerContext } from "./callers.ts";
import type { CoreCalls } from "./calls.ts";
import type { CallRunner } from "./run-call.ts";
import type { CallFailure } from "./serve.ts";
import { fromStatus, toStatus } from "./status.ts";
import { withDeadline } from "./with-deadline.ts";

export interface LocalCallsOptions {
  readonly calls: CallRunner;
  readonly traceIdOf: (request: unknown) => string;
  readonly failureOf: CallFailure;
}

export interface LocalCalls {
  add<S extends GenServiceMethods, R>(
    service: GenService<S>,
    handlers: Handlers<S, HandlerContext, R>,
    readers?: Readers<S>,
  ): void;
  /**
   * Opens calls for callers of one role.
   * @param deadlineMs a unary call fails with `core.timeout` after this
   */
  open(role: CallerRole, deadlineMs: number): CoreCalls;
  /** The same for callers in another thread of this process. */
  openWire(role: CallerRole): WireCalls;
  /** Accepts no more calls, waits up to `drainMs` for calls in progress, and then aborts them. */
  drain(drainMs: number): Promise<void>;
}

/** A call: path of its method, client for which it is made, and signal that ends it early. */
export interface WireCall {
  readonly path: string;
  readonly identity: CallerIdentity | undefined;
  readonly abort: AbortController;
}

/** Calls with requests and responses in wire format. Each rejects with a Fault. */
export interface WireCalls {
  unary(call: WireCall, request: Uint8Array): Promise<Uint8Array>;
  /** @param write receives a response; the next one is produced after it resolves */
  download(call: WireCall, request: Uint8Array, write: (answer: Uint8Array) => Promise<void>): Promise<void>;
  upload(call: WireCall, requests: AsyncIterable<Uint8Array>): Promise<Uint8Array>;
  isServing(): boolean;
}

interface Served {
  readonly method: DescMethod;
  readonly handler: (request: unknown, context: HandlerContext) => Promise<unknown> | AsyncIterable<unknown>;
  readonly read: CallDefinition["requestDeserialize"];
  readonly serialize: CallDefinition["responseSerialize"];
}

interface Call {
  readonly abort: AbortController;
  readonly done: Promise<unknown>;
}

/** Parts of an upload that may wait for the handler. */
const MAX_PARTS_WAITING = 4;
const CALLER = "127.0.0.1";

/**
 * Calls to the core of this process: its handlers without a network. Requests and responses are still converted to the
 * wire format, so that refusals, copies, rounding and faults are the same as over a network.
 */
export function createLocalCalls({ calls, traceIdOf, failureOf }: LocalCallsOptions): LocalCalls {
  const methods = new Map<string, Served>();
  const underWay = new Set<Call>();
  let draining = false;

  /** @throws Fault core.unavailable if no area serves the path */
  function servedAt(path: string): Served {
    const served = methods.get(path);
    if (!served) throw fault("core.unavailable");
    return served;
  }

  /** @throws Fault */
  async function run(
    credentials: Credentials,
    path: string,
    request: unknown,
    abort: AbortController,
    take: (answer: ReturnType<Served["handler"]>) => Promise<unknown> = async (answer) => answer,
  ): Promise<unknown> {
    if (draining) throw fault("core.unavailable");
    const served = servedAt(path);
    const { signal } = abort;
    const traceId = traceIdOf(request);
    const { method, handler } = served;
    const incoming = { credentials, method, request, traceId, peerAddress: CALLER, signal };
    const call = { abort, done: calls.run(incoming, (context) => take(handler(request, context))) };
    underWay.add(call);
    try {
      return await call.done;
    } catch (thrown) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      throw fromStatus(toStatus(failureOf(thrown, { traceId, name, signal }))).fault;
    } finally {
      underWay.delete(call);
    }
  }

  const wireCalls = (role: CallerRole): WireCalls => ({
    unary: async ({ path, identity, abort }, request) => {
      const served = servedAt(path);
      return served.serialize(await run({ role, identity }, path, decoded(served, request), abort));
    },
    download: async ({ path, identity, abort }, request, write) => {
      const served = servedAt(path);
      await run({ role, identity }, path, decoded(served, request), abort, async (answers) => {
        for await (const answer of answers as AsyncIterable<unknown>) await write(served.serialize(answer));
      });
    },
    upload: async ({ path, identity, abort }, requests) => {
      const served = servedAt(path);
      return served.serialize(await run({ role, identity }, path, decodedEach(served, requests), abort));
    },
    isServing: () => !draining,
  });

  return {
    add: (service, handlers, readers) => {
      for (const method of service.methods) {
        if (method.methodKind === "bidi_streaming") continue;
        const handler = handlers[method.localName] as unknown as Served["handler"];
        const definition = callDefinition(service, method, readers?.[method.localName]);
        const { path, requestDeserialize: read, responseSerialize: serialize } = definition;
        methods.set(path, { method, handler, read, serialize });
      }
    },

    open: (role, deadlineMs) => openCalls(wireCalls(role), deadlineMs),
    openWire: wireCalls,

    drain: async (drainMs) => {
      draining = true;
      const ended = Promise.allSettled([...underWay].map(({ done }) => done));
      await Promise.race([ended, sleep(drainMs, undefined, { ref: false })]);
      for (const { abort } of underWay) abort.abort(fault("core.timeout"));
    },
  };
}

/** @throws Fault internal.error if these bytes are not a request */
function decoded({ read }: Served, request: Uint8Array): unknown {
  try {
    return read(asBuffer(request));
  } catch (error) {
    throw Fault.from(error);
  }
}

async function* decodedEach(served: Served, requests: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  for await (const request of requests) yield decoded(served, request);
}

/** Calls from this thread, with requests and responses as objects. */
function openCalls(wire: WireCalls, deadlineMs: number): CoreCalls {
  return {
    deadlineMs,
    maxBatches: Number.POSITIVE_INFINITY,
    unary: async (definition, request, { withinMs = deadlineMs, identity } = {}) => {
      const abort = new AbortController();
      const answer = wire.unary(
        { path: definition.path, identity, abort },
        encodeRequest(definition, request),
      );
      const response = await withDeadline(withinMs, answer, () => abort.abort(fault("core.timeout")));
      return definition.responseDeserialize(asBuffer(response));
    },
    download: downloadFrom(wire, deadlineMs),
    upload: uploadTo(wire),
    ready: async () => wire.isServing(),
    close: () => undefined,
  };
}

function downloadFrom(wire: WireCalls, deadlineMs: number): CoreCalls["download"] {
  return async function* (definition, request, { identity, signal: gone } = {}) {
    const answers = new PassThrough({ objectMode: true, highWaterMark: MAX_PARTS_WAITING });
    const abort = new AbortController();
    const { signal } = abort;
    let refusal: Fault | undefined;
    wire
      .download(
        { path: definition.path, identity, abort },
        encodeRequest(definition, request),
        async (answer) => {
          // The consumer sets the pace of the handler.
          if (!answers.write(answer)) await once(answers, "drain", { signal });
        },
      )
      .catch((thrown: unknown) => {
        refusal = Fault.from(thrown);
      })
      // Earlier responses come first.
      .finally(() => answers.end());
    const parts = answers.iterator();
    try {
      for (;;) {
        const part = withDeadline(deadlineMs, parts.next(), () => abort.abort(fault("core.timeout")));
        const next = await untilAborted(part, gone);
        if (!next) return;
        if (next.done) break;
        yield definition.responseDeserialize(asBuffer(next.value));
      }
      if (refusal) throw refusal;
    } finally {
      abort.abort(fault("core.timeout"));
      answers.destroy();
    }
  };
}

function uploadTo(wire: WireCalls): CoreCalls["upload"] {
  return async (definition, onAnswer) => {
    const requests = new PassThrough({ objectMode: true, highWaterMark: MAX_PARTS_WAITING });
    const abort = new AbortController();
    // Destroyed by the canceller. The handler notices through its signal, or when it continues to read.
    requests.on("error", () => undefined);
    const call = { path: definition.path, identity: undefined, abort };
    wire
      .upload(call, requests.iterator({ destroyOnReturn: false }))
      .then((response) => definition.responseDeserialize(asBuffer(response)))
      .then(
        (response) => onAnswer(undefined, response),
        (refusal: unknown) => onAnswer(Fault.from(refusal), undefined),
      );
    return {
      write: (request) => requests.write(encodeRequest(definition, request)),
      drained: async (signal) => void (await once(requests, "drain", { signal })),
      end: () => void requests.end(),
      cancel: () => {
        abort.abort(fault("core.timeout"));
        requests.destroy(new Error("The caller cancelled the upload."));
      },
    };
  };
}
