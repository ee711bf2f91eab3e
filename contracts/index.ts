import { initContract } from "@ts-rest/core";
import { accounts } from "./dashboard/accounts.ts";
import { audits } from "./dashboard/audits.ts";
import { domains } from "./dashboard/domains.ts";
import { factors } from "./dashboard/factors.ts";
import { invitations } from "./dashboard/invitations.ts";
import { keys } from "./dashboard/keys.ts";
import { members } from "./dashboard/members.ts";
import { senders } from "./dashboard/senders.ts";
import { sessions } from "./dashboard/sessions.ts";
import { suppressions } from "./dashboard/suppressions.ts";
import { users } from "./dashboard/users.ts";
import { emails } from "./emails.ts";

const c = initContract();

/** The whole public API, which keys open. */
export const api = c.router({ emails });

/** The whole API of the dashboard, which sessions open. */
export const dashboard = c.router({
  sessions,
  users,
  factors,
  accounts,
  members,
  invitations,
  keys,
  audits,
  senders,
  domains,
  suppressions,
});
