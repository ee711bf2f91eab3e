import { type Key, KeySchema } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { allPages } from "./all-pages.ts";
import { commandGroup } from "./core-command.ts";
import { collect } from "./input/read-options.ts";
import { KEY_FILTERS, type KeyFilters } from "./keys.ts";
import { listCommand } from "./list-command.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod smtp-credential` */
export const smtpCredentials = commandGroup(
  "smtp-credential",
  "User names and passwords for sending over SMTP.",
  () => [smtpCredentialCreate, smtpCredentialList, smtpCredentialRevoke],
);

interface Options {
  readonly name?: string;
  readonly sender?: readonly string[];
  readonly allowAddress?: readonly string[];
}

/** `hermod smtp-credential create`: writes the user name and the password to standard output, a line each. */
const smtpCredentialCreate = showCommand({
  name: "create",
  description: "Create a sending key with a password and show both once.",
  options: [
    ["--name <name>", "name of the credential"],
    ["--sender <sender>", "address or domain that the credential may send from; repeatable", collect],
    [
      "--allow-address <address>",
      "IP address or CIDR range that may use the credential; repeatable",
      collect,
    ],
  ],
  call: ({ core, account }, options: Options) =>
    core.keys.createKey({
      accountId: account,
      kind: "smtp",
      name: options.name ?? "",
      scopeMode: "send_only",
      senders: [...(options.sender ?? [])],
      allowedAddresses: [...(options.allowAddress ?? [])],
    }),
  of: "key",
  schema: KeySchema,
  also: ({ secret, password }) => ({ username: secret, password }),
  text: (_key, { answer: { secret, password } }) => `username: ${secret}\npassword: ${password}`,
  note: ({ id, name }) => {
    const named = name === "" ? "" : ` "${printable(name)}"`;
    return `Created the SMTP credential${named} (${id}). It is not shown again: keep it in a safe place.`;
  },
});

const isSmtpCredential = ({ kind }: Key) => kind === "smtp";

/** `hermod smtp-credential list`: without passwords. */
const smtpCredentialList = listCommand({
  description: "List the SMTP credentials of an account, including revoked ones.",
  options: KEY_FILTERS,
  call: ({ core, account, page }, { state = "", query = "" }: KeyFilters) =>
    core.keys.listKeys({ accountId: account, ...page, kind: "smtp", state, query }),
  of: "keys",
  schema: KeySchema,
  // A core of an earlier release may not know the filter.
  keep: isSmtpCredential,
  columns: [
    ["ID", ({ id }) => id],
    ["NAME", ({ name }) => printable(name) || "-"],
    ["USERNAME BEGINS WITH", ({ prefix }) => prefix],
    ["SENDERS", ({ senders }) => printable(senders.join(", ")) || "all"],
    ["CREATED", ({ createdAt }) => plainTime(createdAt)],
    ["LAST USED", ({ lastUsedAt }) => plainTime(lastUsedAt) || "never"],
    ["STATUS", ({ revokedAt }, paint) => (revokedAt ? paint("red", "revoked") : paint("green", "active"))],
  ],
  none: "There are no SMTP credentials. Create one with `hermod smtp-credential create`.",
});

/** `hermod smtp-credential revoke`: permanently, also for open sessions. */
const smtpCredentialRevoke = showCommand({
  name: "revoke",
  description: "Revoke an SMTP credential permanently.",
  arguments: [
    ["<credential>", "id of the credential, or beginning of its user name, as shown by smtp-credential list"],
  ],
  call: async ({ core, account, args: [id = ""] }) => {
    const keys = await allPages(
      (pageToken) => core.keys.listKeys({ accountId: account, pageToken }),
      (page) => page.keys,
    );
    const found = keys.filter(isSmtpCredential).find((key) => key.id === id || key.prefix === id);
    if (!found) throw fault("key.unknown", { public: say("no_smtp_credential", { id: printable(id) }) });
    return core.keys.revokeKey({ accountId: account, key: found.id });
  },
  of: "key",
  schema: KeySchema,
  text: ({ id, prefix, revokedAt }) =>
    `Revoked the SMTP credential ${id} (${prefix}…) at ${plainTime(revokedAt)}.`,
});
