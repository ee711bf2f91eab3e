import { PassThrough } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import { toBinary } from "@bufbuild/protobuf";
import { StatusSchema } from "../../gen/google/rpc/status_pb.ts";
import { Fault, fault } from "../shared/fault.ts";
import { ownBytes } from "../shared/own-bytes.ts";
import type { WireCalls } from "./local.ts";
import { toStatus } from "./status.ts";
import type { AnswerMessage, CallMessage } from "./thread-messages.ts";

type Download = Extract<CallMessage, { kind: "download" }>;
type Unary = Extract<CallMessage, { kind: "unary" }>;
type Upload = Extract<CallMessage, { kind: "upload" }>;

/** A call in progress. */
interface Call {
  readonly abort: AbortController;
  /** Requests of an upload, in the order of arrival. */
  requests?: PassThrough;
  /** Lets a download produce one more response. */
  next?: () => void;
}

/**
 * Serves the callers of another thread, which has the other end of the port (`openThreadCalls`), until the port closes.
 * Calls in progress are then aborted.
 */
export function serveThread(port: MessagePort, calls: WireCalls): void {
  const underWay = new Map<number, Call>();

  const post = (message: AnswerMessage) => port.postMessage(message);

  function answer(id: number, bytes: Uint8Array): void {
    const response = ownBytes(bytes);
    const message: AnswerMessage = { id, kind: "answer", response };
    port.postMessage(message, [response.buffer]);
  }

  /** Runs a call to its end, and reports a refusal to the caller, who may have disconnected. */
  async function serve(id: number, run: (call: Call) => Promise<void>): Promise<void> {
    const call: Call = { abort: new AbortController() };
    underWay.set(id, call);
    try {
      await run(call);
    } catch (thrown) {
      const status = toStatus({ fault: Fault.from(thrown), traceId: undefined });
      post({ id, kind: "refusal", status: toBinary(StatusSchema, status) });
    } finally {
      underWay.delete(id);
    }
  }

  const unary = ({ id, path, identity, request }: Unary) =>
    serve(id, async ({ abort }) => answer(id, await calls.unary({ path, identity, abort }, request)));

  /** A response is produced on demand. */
  const download = ({ id, path, identity, request }: Download) =>
    serve(id, async (call) => {
      const { abort } = call;
      const aborted = new Promise<never>((_, reject) => {
        abort.signal.addEventListener("abort", () => reject(abort.signal.reason), { once: true });
      });
      aborted.catch(() => undefined);
      await calls.download({ path, identity, abort }, request, async (response) => {
        const wanted = new Promise<void>((resolve) => {
          call.next = resolve;
        });
        answer(id, response);
        await Promise.race([wanted, aborted]);
      });
      post({ id, kind: "end" });
    });

  const upload = ({ id, path }: Upload) =>
    serve(id, async (call) => {
      const { abort } = call;
      const requests = new PassThrough({ objectMode: true });
      call.requests = requests;
      // The handler notices through its signal, or when it continues to read.
      requests.on("error", () => undefined);
      abort.signal.addEventListener("abort", () => requests.destroy(abort.signal.reason), { once: true });
      answer(id, await calls.upload({ path, identity: undefined, abort }, partsOf(id, requests)));
    });

  async function* partsOf(id: number, requests: PassThrough): AsyncGenerator<Uint8Array> {
    for await (const request of requests.iterator({ destroyOnReturn: false })) {
      post({ id, kind: "taken" });
      yield request;
    }
  }

  function cancel(id: number): void {
    underWay.get(id)?.abort.abort(fault("core.timeout"));
  }

  port.on("message", (message: CallMessage) => {
    const { id } = message;
    if (message.kind === "unary") void unary(message);
    else if (message.kind === "download") void download(message);
    else if (message.kind === "upload") void upload(message);
    else if (message.kind === "part") underWay.get(id)?.requests?.write(message.request);
    else if (message.kind === "end") underWay.get(id)?.requests?.end();
    else if (message.kind === "next") underWay.get(id)?.next?.();
    else if (message.kind === "cancel") cancel(id);
    else post({ id, kind: "readiness", isReady: calls.isServing() });
  });
  port.on("close", () => {
    for (const id of underWay.keys()) cancel(id);
  });
}
