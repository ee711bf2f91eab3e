import { JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import {
  type CountSuppressionRemovalResponse,
  CountSuppressionsResponseSchema,
  type ReasonCount,
} from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { confirm } from "./input/confirm.ts";
import { describeJob } from "./output/describe-job.ts";
import { messageJson } from "./output/json.ts";
import { table } from "./output/table.ts";
import { printable } from "./output/text.ts";
import { required, showCommand } from "./show-command.ts";
import { FILTER, type FilterOptions, filterOf } from "./suppression-files.ts";
import { watchJob } from "./watch-job.ts";

/** `hermod suppression count`: by reason. */
export const suppressionCount = coreCommand(
  { name: "count", description: "Count entries by reason.", options: FILTER },
  async ({ core, account, paint }, options: FilterOptions) => {
    const request = { accountId: account, filter: filterOf(options) };
    const counted = await core.suppressions.countSuppressions(request);
    return {
      json: messageJson(CountSuppressionsResponseSchema, counted),
      text: () => table(paint, ["REASON", "ENTRIES"], counted.reasons.map(rowOf), "Nobody is suppressed."),
    };
  },
);

interface RemovalOptions extends FilterOptions {
  readonly yes?: boolean;
  readonly detach?: boolean;
}

/** `hermod suppression remove-matching`: says how many are meant, asks, and shows how far the job is. */
export const suppressionRemoveMatching = showCommand({
  name: "remove-matching",
  description: "Take all entries that a filter finds off the list. Says how many are meant, and asks.",
  options: [
    ...FILTER,
    ["--yes", "do not ask"],
    ["--detach", "do not wait for the end: it goes on in the background"],
  ],
  call: async (context, options: RemovalOptions) => {
    const { core, account, isJson, surroundings } = context;
    const request = { accountId: account, filter: filterOf(options) };
    const counted = await core.suppressions.countSuppressionRemoval(request);
    if (!options.yes) {
      if (!isJson) surroundings.err.write(`${described(counted)}\n`);
      await confirm(surroundings, "Go on?");
    }
    const { confirmation } = counted;
    const begun = await core.suppressions.beginSuppressionRemoval({ ...request, confirmation });
    const job = required(begun.job, "job");
    return { job: options.detach ? job : await watchJob(context, job.id) };
  },
  of: "job",
  schema: JobSchema,
  text: (job, { paint }) => describeJob(paint, job),
  note: ({ id }) => `What became of each: hermod job results ${id}`,
});

const rowOf = ({ reason, count, hasMore }: ReasonCount) => [reason, `${hasMore ? "more than " : ""}${count}`];

function described({ reasons, sample }: CountSuppressionRemovalResponse): string {
  const counts = reasons.map((one) => rowOf(one).toReversed().join(" ")).join(", ");
  const lines = sample.map(({ address, reason }) => `  ${printable(address)}  ${reason}`);
  return [
    `Mail is sent again to the addresses of ${counts}${lines.length > 0 ? ", as" : "."}`,
    ...lines,
  ].join("\n");
}
