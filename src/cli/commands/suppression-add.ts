import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { describeSuppression, suppressionJson } from "../resources/suppression.ts";
import type { Surroundings } from "../surroundings.ts";

interface Options {
  readonly policy?: string;
  readonly reason: string;
  readonly detail?: string;
  readonly days?: number;
}

const DAY_MS = 24 * 3_600_000;
const MAX_DAYS = 36_500;
export const reasons = ["manual", "hard_bounce", "unsubscribe", "complaint"] as const;

/** `hermod suppression add` */
export function suppressionAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<address>", "whom nothing is to be sent to")
    .description("Send nothing to an address.")
    .option("--policy <policy>", "only no mail of this routing policy")
    .addOption(new Option("--reason <reason>", "why").choices(reasons).default("manual"))
    .option("--detail <text>", "a note")
    .option("--days <count>", "for so many days; left out: for ever", readDays);
  coreCommand<Options>(surroundings, command, async ({ core, account, args: [address = ""] }, options) => {
    const { policy = "", reason, detail = "", days } = options;
    const { suppression } = await core.suppressions.addSuppression({
      accountId: account,
      address,
      reason,
      policy,
      detail,
      ...(days !== undefined && { expireAt: timestampFromDate(new Date(Date.now() + days * DAY_MS)) }),
    });
    if (!suppression) throw fault("internal.error", { internal: "the core answered without the entry" });
    return { json: suppressionJson(suppression), text: () => describeSuppression(suppression) };
  });
}

function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(`Give whole days, 1 to ${MAX_DAYS}.`);
}
