// Requests that arrive during a batch form the next one. There is no timer: an idle front end adds no wait, and under
// load gRPC's cost is shared.

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
import { createSizeQueues } from "../shared/size-queues.ts";
import { callDefinition } from "./bridge.ts";
import type { CoreCalls } from "./calls.ts";
import { fromStatus, toOutcomeStatus } from "./status.ts";

/** Outcome of one item of a batch, in the form of the results of batch calls. */
type BatchOutcome<R> =
  | { readonly case: "response"; readonly value: R }
  | { readonly case: "error"; readonly value: Status }
  | { readonly case: undefined; readonly value?: undefined };

export interface CallBatchOptions<T extends DescMessage, R> {
  readonly calls: Pick<CoreCalls, "unary" | "maxBatches" | "deadlineMs">;
  readonly service: DescService;
  readonly method: DescMethod;
  /** Request field with the items. */
  readonly field: DescField;
  readonly item: T;
  /** Outcomes of a response, in the order of the items. */
  readonly outcomesOf: (response: unknown) => readonly BatchOutcome<R>[];
  /** True if the same item, sent twice, is stored once. */
  readonly repeatable: (init: MessageInitShape<T>) => boolean;
}

/** One encoded item. */
interface Encoded {
  readonly bytes: Uint8Array;
  readonly repeatable: boolean;
}

/**
 * The caller's side: concurrent requests are sent as the items of one call. Each is encoded separately, so that an item
 * that cannot be encoded does not affect the others.
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

  /** Sends items again to another core if the first was lost and storing them twice is impossible. */
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

  const batch = createSizeQueues<Encoded, R>({
    run: sendSurely,
    // Several small batches keep front end, core and store working in parallel. One large batch makes them take turns.
    maxItems: 32,
    maxSize: 4 * 1024 * 1024,
    sizeOf: ({ bytes }) => bytes.length,
    maxConcurrent: calls.maxBatches,
    maxConcurrentLarge: calls.maxBatches,
    maxAge: { ms: calls.deadlineMs, clock, error: late },
  });
  return {
    /** @param waitedMs time that the request has already waited for the core (0) */
    submit: async (init: MessageInitShape<T>, waitedMs = 0): Promise<R> => {
      const bytes = toBinary(item, create(item, init));
      return batch.submit({ bytes, repeatable: repeatable(init) }, waitedMs);
    },
  };
}

/** An item that was not sent is certainly not stored. */
function late(waiting: boolean): Fault {
  if (!waiting) return fault("core.timeout", { retryAfterSeconds: 1 });
  return fault("core.unavailable", {
    internal: "the earlier calls were not answered in time",
    retryAfterSeconds: 1,
  });
}

/** A temporary refusal of a repeated item says nothing about its first submission. */
function isLasting(outcome: Settled<unknown>): boolean {
  if (outcome.ok) return true;
  return outcome.error instanceof Fault && faultCodes[outcome.error.code].smtp.startsWith("5");
}

function settled<R>(outcome: BatchOutcome<R>): Settled<R> {
  if (outcome.case === "response") return { ok: true, value: outcome.value };
  const error = outcome.case === "error" ? fromStatus(outcome.value).fault : fault("internal.error");
  return { ok: false, error };
}

/** The core's side: each item has its own outcome, independent of the others. */
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

/** A batch of separately encoded items, as the values of its one field. */
function joinBatch({ number }: DescField, items: readonly Uint8Array[]): Buffer {
  const writer = new BinaryWriter();
  for (const bytes of items) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  const { buffer, byteOffset, byteLength } = writer.finish();
  return Buffer.from(buffer, byteOffset, byteLength);
}
