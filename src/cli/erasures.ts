import { type Erasure, ErasureSchema } from "../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { InputError } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod erasure` */
export const erasures = commandGroup(
  "erasure",
  "Erase all that an account has about one recipient, and see the proof.",
  () => [erasureBegin, erasureShow, erasureList],
);

interface BeginOptions {
  readonly keepSuppressed?: boolean;
  readonly yes?: boolean;
}

/** `hermod erasure begin`: without `--yes` it says what would go, and changes nothing. */
const erasureBegin = showCommand({
  name: "begin",
  description: "Remove all that is stored about a recipient, for good.",
  arguments: [["<recipient>", "the address"]],
  options: [
    ["--keep-suppressed", "leave the address on the suppression list"],
    ["--yes", "do it"],
  ],
  call: async ({ core, account: accountId, args: [recipient = ""] }, options: BeginOptions) => {
    const { keepSuppressed = false, yes } = options;
    if (yes) return core.erasures.beginErasure({ accountId, recipient, keepSuppressed });
    const found = await core.erasures.previewErasure({ accountId, recipient });
    const more = found.complete ? "" : " at least";
    const kept = keepSuppressed ? "stay" : "go";
    throw new InputError(
      `This erases, for good,${more} ${found.messages} messages to ${printable(recipient)} (${found.waiting} of them wait to be sent, and are withdrawn), ${found.notices} notices about them, ${found.events} events and ${found.captured} captured copies; ${found.suppressions} entries of the suppression list ${kept}. Repeat it with --yes.`,
    );
  },
  of: "erasure",
  schema: ErasureSchema,
  text: ({ id }) => id,
  note: ({ id }) => `It takes a minute at least: see \`hermod erasure show ${id}\`.`,
});

/** `hermod erasure show`: how far it is, and in the end the proof. */
const erasureShow = showCommand({
  name: "show",
  description: "Show how far an erasure is, and in the end the proof.",
  arguments: [["<id>", "the id of the erasure"]],
  call: ({ core, account, args: [id = ""] }) => core.erasures.getErasure({ accountId: account, id }),
  of: "erasure",
  schema: ErasureSchema,
  text: describe,
});

/** `hermod erasure list`: newest first. */
const erasureList = listCommand({
  description: "List the erasures of an account.",
  limit: 50,
  call: ({ core, account, page }) => core.erasures.listErasures({ accountId: account, ...page }),
  of: "erasures",
  schema: ErasureSchema,
  columns: [
    ["ID", ({ id }) => id],
    ["STATE", ({ state }) => state],
    ["REQUESTED", ({ requestedAt }) => plainTime(requestedAt)],
    ["FINISHED", ({ finishedAt }) => plainTime(finishedAt)],
    ["REMOVED", totalOf],
    ["BY", ({ requestedBy }) => printable(requestedBy)],
  ],
  none: "Nobody was erased.",
});

const CHANGED = "Changed";

function totalOf({ removed }: Erasure): number {
  return Object.entries(removed).reduce((sum, [name, n]) => (name.endsWith(CHANGED) ? sum : sum + n), 0);
}

function describe(erasure: Erasure): string {
  const { look, left } = erasure;
  const counts = Object.entries(erasure.removed).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = [
    `Erasure:    ${erasure.id} (${erasure.state})`,
    `Requested:  ${plainTime(erasure.requestedAt)} by ${printable(erasure.requestedBy)}`,
    `Address:    SHA-256 ${erasure.addressHash}, salt ${erasure.salt}`,
    ...(erasure.state === "running"
      ? [`Waiting:    ${erasure.waiting} messages that a worker has to give up`]
      : []),
    ...counts.map(([name, n]) => `  ${name.padEnd(22)} ${n}`),
  ];
  if (look) {
    lines.push(
      `Finished:   ${plainTime(erasure.finishedAt)}; nothing was left in ${look.messages} messages, ${look.captured} captured ones and ${look.auditEntries} entries of the audit log`,
      `Stays:      ${left?.sharedBodies ?? 0} bodies shared with others, ${left?.mentions ?? 0} messages to others that mention it, ${left?.suppressions ?? 0} suppressions`,
    );
  }
  return lines.join("\n");
}
