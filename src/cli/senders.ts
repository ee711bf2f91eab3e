import { Option } from "commander";
import { SenderSchema } from "../../gen/hermod/sender/v1/sender_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { FORCE, removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** `hermod sender` */
export const senders = commandGroup("sender", "Addresses and domains that may send mail.", () => [
  senderAdd,
  senderVerify,
  senderList,
  senderRemove,
]);

/** `hermod sender add`: the operator adds it, so it is verified. */
const senderAdd = showCommand({
  name: "add",
  description: "Allow mail from an address or a domain.",
  arguments: [["<sender>", "address, or domain for all of its addresses"]],
  call: ({ core, account, args: [value = ""] }) => core.senders.addSender({ accountId: account, value }),
  of: "sender",
  schema: SenderSchema,
  text: ({ kind, value }) =>
    `Mail may be sent from ${kind === "domain" ? "every address at " : ""}${printable(value)}.`,
});

/** `hermod sender verify`: the reader of the mailbox confirms the address. */
const senderVerify = showCommand({
  name: "verify",
  description: "Mail a verification link to an address. Repeated: mail a new link.",
  arguments: [["<address>", "address, for example news@example.com"]],
  call: ({ core, account, args: [value = ""] }) => core.senders.verifySender({ accountId: account, value }),
  of: "sender",
  schema: SenderSchema,
  text: ({ value, verifiedAt, linkExpiresAt }) =>
    verifiedAt
      ? `${printable(value)} is already verified.`
      : `Mailed a link to ${printable(value)}. It is valid until ${plainTime(linkExpiresAt)}.`,
});

/** `hermod sender remove` */
const senderRemove = removeCommand(
  {
    description: "Remove an address or a domain from the senders.",
    arguments: [["<sender>", "address or domain"]],
    options: [FORCE],
  },
  async ({ core, account, args: [value = ""] }, { force = false }: { force?: boolean }) => {
    const { use } = await core.senders.removeSender({ accountId: account, value, force });
    return { use, text: `Removed the sender ${printable(value)}.` };
  },
);

/** `hermod sender list` */
const senderList = listCommand({
  description: "List the addresses and domains that may send mail.",
  options: [
    ["--search <text>", "only senders with this text in the address or domain"],
    new Option("--state <state>", "only senders in this state").choices(["verified", "pending"]),
  ],
  call: ({ core, account, page }, { search = "", state = "" }: { search?: string; state?: string }) =>
    core.senders.listSenders({ accountId: account, search, state, ...page }),
  of: "senders",
  schema: SenderSchema,
  columns: [
    ["SENDER", ({ value }) => printable(value)],
    ["KIND", ({ kind }) => kind],
    ["VERIFIED", ({ verifiedAt }) => plainTime(verifiedAt) || "not verified"],
    ["BY", ({ verifiedBy, linkExpiresAt }) => wordsOf[verifiedBy] ?? (linkExpiresAt ? "link mailed" : "")],
  ],
  none: "There are no senders. Add one with `hermod sender add`.",
});

const wordsOf: Readonly<Record<string, string>> = { operator: "operator", link: "mailed link" };
