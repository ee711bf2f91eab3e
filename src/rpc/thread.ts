import { EventEmitter, once } from "node:events";
import type { MessagePort } from "node:worker_threads";
import { fromBinary } from "@bufbuild/protobuf";
import { StatusSchema } from "../../gen/google/rpc/status_pb.ts";
import type { Fault } from "../shared/fault.ts";
import { ownBytes } from "../shared/own-bytes.ts";
import { untilAborted } from "../shared/until-aborted.ts";
import { asBuffer, type CallDefinition, encodeRequest } from "./bridge.ts";
import type { CoreCalls } from "./calls.ts";
import { fromStatus } from "./status.ts";
import type { AnswerMessage, CallMessage } from "./thread-messages.ts";
import { withDeadline } from "./with-deadline.ts";

/** Requests of an upload that may wait in the other thread before its caller must pause. */
const MAX_PARTS_WAITING = 4;

/**
 * Calls to the core of this process from another thread, over a port. See `serveThread`.
 * @param deadlineMs a unary call fails with `core.timeout` after this
 */
export function openThreadCalls(port: MessagePort, deadlineMs: number): CoreCalls {
  /** Handlers for messages of the core's thread, by the id of the call. */
  const underWay = new Map<number, (answer: AnswerMessage) => void>();
  let lastId = 0;

  port.on("message", (answer: AnswerMessage) => underWay.get(answer.id)?.(answer));

  function post(message: CallMessage): void {
    if ("request" in message) port.postMessage(message, [message.request.buffer as ArrayBuffer]);
    else port.postMessage(message);
  }

  /** The next message of a call, except refusals. Its rejection need not be awaited. @throws Fault */
  function nextOf(id: number): Promise<AnswerMessage> {
    const next = new Promise<AnswerMessage>((resolve, reject) => {
      underWay.set(id, (answer) =>
        answer.kind === "refusal" ? reject(faultOf(answer.status)) : resolve(answer),
      );
    });
    next.catch(() => undefined);
    return next;
  }

  /** Makes a call with a single response. @throws Fault */
  async function ask(message: CallMessage, withinMs: number): Promise<AnswerMessage> {
    const { id } = message;
    const next = nextOf(id);
    post(message);
    try {
      return await withDeadline(withinMs, next, () => post({ id, kind: "cancel" }));
    } finally {
      underWay.delete(id);
    }
  }

  async function* download(
    definition: CallDefinition,
    request: unknown,
    { identity, signal }: NonNullable<Parameters<CoreCalls["download"]>[2]> = {},
  ): AsyncGenerator<unknown> {
    const id = ++lastId;
    const bytes = ownBytes(encodeRequest(definition, request));
    let next = nextOf(id);
    post({ id, kind: "download", path: definition.path, identity, request: bytes });
    try {
      for (;;) {
        const answer = await untilAborted(
          withDeadline(deadlineMs, next, () => undefined),
          signal,
        );
        if (answer?.kind !== "answer") return;
        next = nextOf(id);
        yield definition.responseDeserialize(asBuffer(answer.response));
        post({ id, kind: "next" });
      }
    } finally {
      underWay.delete(id);
      post({ id, kind: "cancel" });
    }
  }

  return {
    deadlineMs,
    maxBatches: Number.POSITIVE_INFINITY,

    unary: async (definition, request, { withinMs = deadlineMs, identity } = {}) => {
      const bytes = ownBytes(encodeRequest(definition, request));
      const call = { id: ++lastId, kind: "unary", path: definition.path, identity, request: bytes } as const;
      const answer = await ask(call, withinMs);
      if (answer.kind !== "answer") throw new Error(`The core answered a call with "${answer.kind}".`);
      return definition.responseDeserialize(asBuffer(answer.response));
    },

    download,

    upload: async (definition, onAnswer) => {
      const id = ++lastId;
      const capacity = new EventEmitter();
      let waiting = 0;
      underWay.set(id, (answer) => {
        if (answer.kind === "taken") {
          if (--waiting < MAX_PARTS_WAITING) capacity.emit("drain");
          return;
        }
        underWay.delete(id);
        if (answer.kind === "refusal") onAnswer(faultOf(answer.status), undefined);
        if (answer.kind === "answer") {
          onAnswer(undefined, definition.responseDeserialize(asBuffer(answer.response)));
        }
      });
      post({ id, kind: "upload", path: definition.path });
      return {
        write: (request) => {
          post({ id, kind: "part", request: ownBytes(encodeRequest(definition, request)) });
          return ++waiting < MAX_PARTS_WAITING;
        },
        drained: async (signal) => {
          if (waiting >= MAX_PARTS_WAITING) await once(capacity, "drain", { signal });
        },
        end: () => post({ id, kind: "end" }),
        cancel: () => post({ id, kind: "cancel" }),
      };
    },

    ready: async () => {
      const answer = await ask({ id: ++lastId, kind: "ready" }, deadlineMs).catch(() => undefined);
      return answer?.kind === "readiness" && answer.isReady;
    },

    close: () => port.close(),
  };
}

function faultOf(status: Uint8Array): Fault {
  return fromStatus(fromBinary(StatusSchema, status)).fault;
}
