import { InvalidArgumentError } from "commander";
import {
  type Retention,
  RetentionSchema,
  type RetentionTime,
} from "../../gen/hermod/account/v1/account_service_pb.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { InputError } from "./input/read-options.ts";
import { plainTime } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

interface RetentionOptions extends OnRevision {
  readonly contentDays?: number;
  readonly messageDays?: number;
  readonly requestDays?: number;
  readonly sandboxHours?: number;
  readonly reset?: boolean;
}

/** `hermod account retention`: shows the retention times, or replaces all of them. */
export const accountRetention = showCommand({
  name: "retention",
  description: "Show how long an account keeps its data. With options: replace all of its retention times.",
  options: [
    ["--content-days <days>", "retention of message bodies", readCount],
    ["--message-days <days>", "retention of messages and their events", readCount],
    ["--request-days <days>", "retention of the request log", readCount],
    ["--sandbox-hours <hours>", "retention of captured mail", readCount],
    ["--reset", "use the retention times of the installation"],
    IF_REVISION,
  ],
  call: async ({ core, account: accountId }, options: RetentionOptions) => {
    const { ifRevision } = options;
    if (isChange(options))
      return core.accounts.changeRetention({
        accountId,
        ...timesOf(options),
        ...withoutUndefined({ ifRevision }),
      });
    if (ifRevision !== undefined)
      throw new InputError("--if-revision needs a change: add retention times or --reset.");
    return core.accounts.getRetention({ accountId });
  },
  of: "retention",
  schema: RetentionSchema,
  text: describe,
  note: (_retention, { options }) =>
    isChange(options) ? "Hermod removes older data within minutes." : undefined,
});

const timesOf = ({ contentDays, messageDays, requestDays, sandboxHours }: RetentionOptions) =>
  withoutUndefined({ contentDays, messageDays, requestDays, sandboxHours });

const isChange = (options: RetentionOptions) =>
  options.reset === true || Object.keys(timesOf(options)).length > 0;

function readCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1) return count;
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}

function describe({ contentDays, messageDays, requestDays, sandboxHours, auditDays, appliedAt }: Retention) {
  const shown = (time: RetentionTime | undefined, unit: string) =>
    `${time?.kept ?? 0} ${unit}${time?.own ? ` (installation: ${time.most})` : ""}`;
  return [
    `Bodies:            ${shown(contentDays, "days")}`,
    `Messages, events:  ${shown(messageDays, "days")}`,
    `Requests:          ${shown(requestDays, "days")}`,
    `Captured mail:     ${shown(sandboxHours, "hours")}`,
    `Audit log:         ${auditDays} days`,
    ...(appliedAt ? [`Applied:           ${plainTime(appliedAt)}`] : []),
  ].join("\n");
}
