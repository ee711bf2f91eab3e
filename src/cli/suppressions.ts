import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { InvalidArgumentError, Option } from "commander";
import {
  type Suppression,
  SuppressionSchema,
} from "../../gen/hermod/suppression/v1/suppression_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable, shortened } from "./output/text.ts";
import { showCommand } from "./show-command.ts";
import {
  FILTER,
  type FilterOptions,
  filterOf,
  reasons,
  ruleNames,
  suppressionExport,
  suppressionImport,
} from "./suppression-files.ts";
import { suppressionCount, suppressionRemoveMatching } from "./suppression-removal.ts";

/** `hermod suppression` */
export const suppressions = commandGroup(
  "suppression",
  "Suppressed addresses, which receive no mail.",
  () => [
    suppressionAdd,
    suppressionRemove,
    suppressionRemoveMatching,
    suppressionList,
    suppressionCount,
    suppressionImport,
    suppressionExport,
  ],
);

interface AddOptions {
  readonly policy?: string;
  readonly reason: string;
  readonly detail?: string;
  readonly days?: number;
}

const DAY_MS = 24 * 3_600_000;
const MAX_DAYS = 36_500;

/** `hermod suppression add` */
const suppressionAdd = showCommand({
  name: "add",
  description: "Suppress an address.",
  arguments: [["<address>", "address to suppress; @example.com for all addresses of the domain"]],
  options: [
    ["--policy <policy>", "suppress only mail of this routing policy"],
    new Option("--reason <reason>", "reason of the entry").choices(reasons).default("manual"),
    ["--detail <text>", "note, for people"],
    ["--days <count>", "number of days (default: forever)", readDays],
  ],
  call: ({ core, account, args: [address = ""] }, options: AddOptions) => {
    const { policy = "", reason, detail = "", days } = options;
    return core.suppressions.addSuppression({
      accountId: account,
      address,
      reason,
      policy,
      detail,
      ...(days !== undefined && { expireAt: timestampFromDate(new Date(Date.now() + days * DAY_MS)) }),
    });
  },
  of: "suppression",
  schema: SuppressionSchema,
  also: ({ alertRules, alertRulesCount }) => ({
    alert_rules: alertRules,
    alert_rules_count: alertRulesCount,
  }),
  text: describeSuppression,
  note: (_suppression, { answer }) =>
    answer.alertRulesCount > 0
      ? `Alert rules with this recipient no longer reach it: ${ruleNames(answer)}.`
      : undefined,
});

function readDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(`It must be a whole number of days, 1 to ${MAX_DAYS}.`);
}

/** `hermod suppression list`: sorted by address. */
const suppressionList = listCommand({
  description: "List the suppressed addresses.",
  options: FILTER,
  limit: 50,
  call: ({ core, account, page }, options: FilterOptions) =>
    core.suppressions.listSuppressions({ accountId: account, ...filterOf(options), ...page }),
  of: "suppressions",
  schema: SuppressionSchema,
  columns: [
    ["ADDRESS", ({ address }) => printable(address)],
    ["REASON", ({ reason }) => reason],
    ["POLICY", ({ policy }) => printable(policy) || "all mail"],
    ["SINCE", ({ createdAt }) => plainTime(createdAt)],
    ["UNTIL", ({ expireAt }) => plainTime(expireAt) || "forever"],
    ["DETAIL", ({ detail }) => shortened(printable(detail), 60)],
  ],
  none: "No addresses are suppressed.",
});

/** `hermod suppression remove`: applies from the next message on. */
const suppressionRemove = showCommand({
  name: "remove",
  description: "Remove an address from the list. Mail to it is sent again.",
  arguments: [["<address>", "address, as shown by suppression list"]],
  options: [["--policy <policy>", "the entry for this routing policy, instead of the one for all mail"]],
  call: ({ core, account, args: [address = ""] }, { policy = "" }: { policy?: string }) =>
    core.suppressions.removeSuppression({ accountId: account, address, policy }),
  of: "suppression",
  schema: SuppressionSchema,
  text: (_suppression, { answer: { notice } }) => printable(notice),
});

/** For people: the suppressed mail, and until when. */
function describeSuppression({ address, reason, policy, expireAt }: Suppression): string {
  const mail = policy === "" ? "No mail" : `No mail of the policy "${printable(policy)}"`;
  const until = expireAt ? `until ${plainTime(expireAt)}` : "from now on";
  return `${mail} is sent to ${printable(address)} ${until} (${reason}).`;
}
