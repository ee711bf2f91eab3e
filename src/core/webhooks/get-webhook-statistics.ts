import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetWebhookStatisticsRequest,
  GetWebhookStatisticsResponseSchema,
  WebhookAttemptsSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { counterSteps } from "../../store/counters/counter-documents.ts";
import { addBins, percentilesOf } from "../../store/counters/latency.ts";
import type { WebhookCounterDocument } from "../../store/webhook-counters.ts";
import { webhookAnswers } from "../../store/webhook-delivery-documents.ts";
import { createPoints } from "../counters/points.ts";
import { readRange } from "../counters/read-range.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";

/**
 * Counts the attempts at an endpoint over time.
 * @throws Fault account.unknown, request.validation_failed, webhook.unknown
 */
export function createGetWebhookStatistics({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  return async (
    request: GetWebhookStatisticsRequest,
  ): Promise<MessageInitShape<typeof GetWebhookStatisticsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const faults = createFieldFaults();
    const { from, until, step } = readRange(request, clock.now(), faults, counterSteps);
    if (faults.found.length > 0 || !step) throw validationFault(faults.found);
    if (!(await account.webhooks.find(request.id))) throw fault("webhook.unknown");
    const { points, end } = createPoints({ step, from, until, zone: "UTC" });
    const [first = end] = points;
    const query = { endpointId: request.id, step, from: first, until: end };
    const found = await account.webhookCounters.read(query);
    const byTime = new Map(found.map((one) => [one.at.getTime(), one]));
    return {
      statistics: {
        step,
        all: attemptsOf(found),
        points: points.map((at) => {
          const counted = byTime.get(at.getTime());
          return { at: timestampFromDate(at), attempts: attemptsOf(counted ? [counted] : []) };
        }),
      },
    };
  };
}

function attemptsOf(
  counted: readonly Pick<WebhookCounterDocument, "counts" | "durations">[],
): MessageInitShape<typeof WebhookAttemptsSchema> {
  const sums = Object.fromEntries(
    webhookAnswers.map((answer) => [
      answer,
      counted.reduce((sum, { counts }) => sum + (counts?.[answer] ?? 0), 0),
    ]),
  ) as Record<(typeof webhookAnswers)[number], number>;
  const bins = new Map<number, number>();
  for (const { durations = {} } of counted) addBins(bins, durations);
  const measured = percentilesOf(bins);
  const count = webhookAnswers.reduce((sum, answer) => sum + sums[answer], 0);
  return {
    count,
    accepted: sums["2xx"],
    failed: count - sums["2xx"],
    status3xx: sums["3xx"],
    status4xx: sums["4xx"],
    status5xx: sums["5xx"],
    noAnswer: sums.none,
    ...(measured && {
      durations: { p50Ms: measured.p50Ms, p95Ms: measured.p95Ms, p99Ms: measured.p99Ms },
    }),
  };
}
