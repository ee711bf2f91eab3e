import { type Command, InvalidArgumentError } from "commander";
import type { Retention, RetentionTime } from "../../gen/hermod/account/v1/account_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { coreCommand } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { InputError } from "./input/read-options.ts";
import { isoTime, plainTime } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

interface RetentionOptions extends OnRevision {
  readonly contentDays?: number;
  readonly messageDays?: number;
  readonly requestDays?: number;
  readonly sandboxHours?: number;
  readonly reset?: boolean;
}

/** `hermod account retention`: shows the times, or replaces all of them. */
export function accountRetention(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("retention")
    .description("Show how long an account keeps things; with options, replace all of its times.")
    .option("--content-days <days>", "bodies", readCount)
    .option("--message-days <days>", "messages and their events", readCount)
    .option("--request-days <days>", "the log of requests", readCount)
    .option("--sandbox-hours <hours>", "captured mail", readCount)
    .option("--reset", "all as long as the installation")
    .option(...IF_REVISION);
  coreCommand<RetentionOptions>(surroundings, command, async ({ core, account: accountId }, options) => {
    const { contentDays, messageDays, requestDays, sandboxHours, ifRevision, reset = false } = options;
    const times = withoutUndefined({ contentDays, messageDays, requestDays, sandboxHours });
    const isChange = reset || Object.keys(times).length > 0;
    if (!isChange && ifRevision !== undefined)
      throw new InputError("--if-revision is for a change: give the times, or --reset.");
    const { retention } = isChange
      ? await core.accounts.changeRetention({ accountId, ...times, ...withoutUndefined({ ifRevision }) })
      : await core.accounts.getRetention({ accountId });
    if (!retention) throw fault("internal.error", { internal: "the core answered without the times" });
    return {
      json: retentionJson(retention),
      text: () => describe(retention),
      ...(isChange && { note: "What is past these times goes within minutes." }),
    };
  });
}

function readCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1) return count;
  throw new InvalidArgumentError("Give a whole number, 1 or more.");
}

function describe({ contentDays, messageDays, requestDays, sandboxHours, auditDays, appliedAt }: Retention) {
  const shown = (time: RetentionTime | undefined, unit: string) =>
    `${time?.kept ?? 0} ${unit}${time?.own ? ` (the installation: ${time.most})` : ""}`;
  return [
    `Bodies:            ${shown(contentDays, "days")}`,
    `Messages, events:  ${shown(messageDays, "days")}`,
    `Requests:          ${shown(requestDays, "days")}`,
    `Captured mail:     ${shown(sandboxHours, "hours")}`,
    `Audit log:         ${auditDays} days`,
    ...(appliedAt ? [`Applied:           ${plainTime(appliedAt)}`] : []),
  ].join("\n");
}

/** As `--json` writes it. */
function retentionJson({ contentDays, messageDays, requestDays, sandboxHours, ...retention }: Retention) {
  const time = ({ kept, most, own }: Pick<RetentionTime, "kept" | "most" | "own">) => ({ kept, most, own });
  const none = { kept: 0, most: 0, own: false };
  return {
    content_days: time(contentDays ?? none),
    message_days: time(messageDays ?? none),
    request_days: time(requestDays ?? none),
    sandbox_hours: time(sandboxHours ?? none),
    audit_days: retention.auditDays,
    applied_at: isoTime(retention.appliedAt),
    revision: retention.revision,
  };
}
