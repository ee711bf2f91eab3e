import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetRequestStatisticsRequest,
  GetRequestStatisticsResponseSchema,
  RequestCountsSchema,
} from "../../../gen/hermod/request/v1/request_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import { keptMs } from "../../store/counters/counter-documents.ts";
import {
  type RequestAnswer,
  type RequestCounterDocument,
  requestAnswers,
  requestCounterSteps,
} from "../../store/request-counters.ts";
import { createMeasuredSince } from "../counters/measured-since.ts";
import { createPoints } from "../counters/points.ts";
import { readRange } from "../counters/read-range.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";

/**
 * Counts the requests with an account's keys over time.
 * @throws Fault account.unknown, request.validation_failed
 */
export function createGetRequestStatistics({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  const measuredSince = createMeasuredSince({ store, clock });
  return async (
    request: GetRequestStatisticsRequest,
  ): Promise<MessageInitShape<typeof GetRequestStatisticsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const faults = createFieldFaults();
    const now = clock.now();
    const { from, until, step } = readRange(request, now, faults, requestCounterSteps);
    if (faults.found.length > 0 || !step) throw validationFault(faults.found);
    const { points, end } = createPoints({ step, from, until, zone: "UTC" });
    const [first = end] = points;
    const found = await account.requestCounters.read({ step, from: first, until: end });
    const byTime = new Map(found.map((one) => [one.at.getTime(), one]));
    // Earlier counters are removed.
    const kept = new Date(now.getTime() - keptMs[step]);
    const released = await measuredSince(first);
    const since = released && released > kept ? released : kept;
    return {
      step,
      all: countsOf(found),
      points: points.map((at) => {
        const counted = byTime.get(at.getTime());
        return { at: timestampFromDate(at), counts: countsOf(counted ? [counted] : []) };
      }),
      ...(since > first && { measuredSince: timestampFromDate(since) }),
    };
  };
}

function countsOf(
  counted: readonly Pick<RequestCounterDocument, "counts">[],
): MessageInitShape<typeof RequestCountsSchema> {
  const sumOf = (answer: RequestAnswer) =>
    BigInt(counted.reduce((sum, { counts }) => sum + (counts?.[answer] ?? 0), 0));
  return {
    count: requestAnswers.reduce((sum, answer) => sum + sumOf(answer), 0n),
    status2xx: sumOf("2xx"),
    status3xx: sumOf("3xx"),
    status4xx: sumOf("4xx"),
    status429: sumOf("429"),
    status5xx: sumOf("5xx"),
    other: sumOf("none"),
  };
}
