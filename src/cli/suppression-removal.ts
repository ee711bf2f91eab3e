import {
  type CountSuppressionRemovalResponse,
  CountSuppressionsResponseSchema,
  type ReasonCount,
} from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { confirmedJobCommand } from "./confirmed-job.ts";
import { coreCommand } from "./core-command.ts";
import { messageJson } from "./output/json.ts";
import { table } from "./output/table.ts";
import { printable } from "./output/text.ts";
import { FILTER, type FilterOptions, filterOf } from "./suppression-files.ts";

/** `hermod suppression count`: by reason. */
export const suppressionCount = coreCommand(
  { name: "count", description: "Count entries by reason.", options: FILTER },
  async ({ core, account, paint }, options: FilterOptions) => {
    const request = { accountId: account, filter: filterOf(options) };
    const counted = await core.suppressions.countSuppressions(request);
    return {
      json: messageJson(CountSuppressionsResponseSchema, counted),
      text: () =>
        table(paint, ["REASON", "ENTRIES"], counted.reasons.map(rowOf), "No addresses are suppressed."),
    };
  },
);

/** `hermod suppression remove-matching`: shows the number of entries, asks, and shows the progress of the job. */
export const suppressionRemoveMatching = confirmedJobCommand({
  name: "remove-matching",
  description: "Remove all entries that match a filter. Shows the number of entries and asks first.",
  options: FILTER,
  count: async ({ core, account }, options: FilterOptions) => {
    const request = { accountId: account, filter: filterOf(options) };
    const counted = await core.suppressions.countSuppressionRemoval(request);
    const { confirmation } = counted;
    return {
      described: described(counted),
      begin: () => core.suppressions.beginSuppressionRemoval({ ...request, confirmation }),
    };
  },
});

const rowOf = ({ reason, count, hasMore }: ReasonCount) => [reason, `${hasMore ? "more than " : ""}${count}`];

function described({ reasons, sample }: CountSuppressionRemovalResponse): string {
  const counts = reasons.map((one) => rowOf(one).toReversed().join(" ")).join(", ");
  const lines = sample.map(({ address, reason }) => `  ${printable(address)}  ${reason}`);
  return [
    `Mail is sent again to the addresses of these entries: ${counts}${lines.length > 0 ? ", for example:" : "."}`,
    ...lines,
  ].join("\n");
}
