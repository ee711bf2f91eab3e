import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { faultCodes } from "../../contracts/common/fault-codes.ts";
import type { Status } from "../../gen/google/rpc/status_pb.ts";
import { systemClock } from "../shared/clock.ts";
import { Fault, fault } from "../shared/fault.ts";
import type { Settled } from "../shared/natural-batch.ts";
import { createSizeLanes } from "../shared/size-lanes.ts";
import { callDefinition } from "./bridge.ts";
import type { CoreCalls } from "./calls.ts";
import { fromStatus, toOutcomeStatus } from "./status.ts";

/** The outcome of one item of a batch, as the results of batch calls have it. */
type BatchOutcome<R> =
  | { readonly case: "response"; readonly value: R }
  | { readonly case: "error"; readonly value: Status }
  | { readonly case: undefined; readonly value?: undefined };

export interface CallBatchOptions<T extends DescMessage, R> {
  readonly calls: Pick<CoreCalls, "unary" | "maxBatches" | "deadlineMs">;
  readonly service: DescService;
  readonly method: DescMethod;
  /** The field of the call's request that holds the items. */
  readonly field: DescField;
  readonly item: T;
  /** The outcomes of an answer, in the order of the items. */
  readonly outcomesOf: (response: unknown) => readonly BatchOutcome<R>[];
  /** True if the same item, sent twice, is stored once. */
  readonly repeatable: (init: MessageInitShape<T>) => boolean;
}

/** One item, on its way. */
interface Encoded {
  readonly bytes: Uint8Array;
  readonly repeatable: boolean;
}

/**
 * The caller's side: requests that arrive together travel as the items of one call. Each is encoded by itself, so that one which
 * cannot be spoils no other.
 */
export function createCallBatch<T extends DescMessage, R>(options: CallBatchOptions<T, R>) {
  const { calls, service, method, field, item, outcomesOf, repeatable } = options;
  const definition = {
    ...callDefinition(service, method),
    requestSerialize: (items: unknown) =>
      joinBatch(
        field,
        (items as Encoded[]).map(({ bytes }) => bytes),
      ),
  };
  const clock = systemClock;

  async function send(items: readonly Encoded[], withinMs: number): Promise<Settled<R>[]> {
    return outcomesOf(await calls.unary(definition, items, { withinMs })).map(settled);
  }

  /** What is lost with its core goes to another one, where that stores nothing twice. */
  async function sendSurely(items: readonly Encoded[], withinMs: number): Promise<Settled<R>[]> {
    const beganAtMs = clock.monotonicMs();
    try {
      return await send(items, withinMs);
    } catch (lost) {
      const again = items.filter((one) => one.repeatable);
      if (!(lost instanceof Fault) || lost.code !== "core.connection_lost" || again.length === 0) throw lost;
      const leftMs = withinMs - (clock.monotonicMs() - beganAtMs);
      const outcomes = await send(again, leftMs).catch(() => []);
      const byOne = new Map(again.map((one, at) => [one, outcomes[at]]));
      return items.map((one) => {
        const outcome = byOne.get(one);
        return outcome && isLasting(outcome) ? outcome : { ok: false, error: lost };
      });
    }
  }

  const batch = createSizeLanes<Encoded, R>({
    run: sendSurely,
    // Several smaller batches keep front end, core and store at work at the same time; one large one makes them take
    // turns.
    maxItems: 32,
    maxSize: 4 * 1024 * 1024,
    sizeOf: ({ bytes }) => bytes.length,
    maxConcurrent: calls.maxBatches,
    maxConcurrentLarge: calls.maxBatches,
    maxAge: { ms: calls.deadlineMs, clock, error: late },
  });
  return {
    /** @param waitedMs what the request has waited for the core before (0) */
    submit: async (init: MessageInitShape<T>, waitedMs = 0): Promise<R> => {
      const bytes = toBinary(item, create(item, init));
      return batch.submit({ bytes, repeatable: repeatable(init) }, waitedMs);
    },
  };
}

/** What was not sent is certainly not stored. */
function late(waiting: boolean): Fault {
  if (!waiting) return fault("core.timeout", { retryAfterSeconds: 1 });
  return fault("core.unavailable", {
    internal: "the earlier calls were not answered in time",
    retryAfterSeconds: 1,
  });
}

/** A refusal for now of what was sent before says nothing of the first time. */
function isLasting(outcome: Settled<unknown>): boolean {
  if (outcome.ok) return true;
  return outcome.error instanceof Fault && faultCodes[outcome.error.code].smtp.startsWith("5");
}

function settled<R>(outcome: BatchOutcome<R>): Settled<R> {
  if (outcome.case === "response") return { ok: true, value: outcome.value };
  const error = outcome.case === "error" ? fromStatus(outcome.value).fault : fault("internal.error");
  return { ok: false, error };
}

/** The core's side: what one item comes to is its own outcome, whatever becomes of the others. */
export async function batchOutcome<R>(
  run: () => Promise<R>,
  traceId: string,
  onUnexpected: (fault: Fault, traceId: string) => void,
) {
  try {
    return { case: "response" as const, value: await run() };
  } catch (thrown) {
    const failed = Fault.from(thrown);
    onUnexpected(failed, traceId);
    return { case: "error" as const, value: toOutcomeStatus({ fault: failed, traceId }) };
  }
}

/** A batch whose items were encoded one by one, as the values of its one field. */
function joinBatch({ number }: DescField, items: readonly Uint8Array[]): Buffer {
  const writer = new BinaryWriter();
  for (const bytes of items) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  const { buffer, byteOffset, byteLength } = writer.finish();
  return Buffer.from(buffer, byteOffset, byteLength);
}
