import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import { accountId, moment } from "./common.ts";

export const account = z
  .object({
    id: accountId,
    name: z.string(),
    created_at: moment("When it was made."),
    requires_second_factor: z
      .boolean()
      .meta({ description: "Members who have shown no second factor can do nothing in it." }),
  })
  .meta({ id: "Account", description: "An account: who is in one sees nothing of another." });

const c = initContract();

export const accounts = c.router({
  getAccount: {
    method: "GET",
    path: "/api/account",
    summary: "See the account",
    description: "The account that the session looks at.",
    ...reading({ access: "account.read", success: { 200: account } }),
  },
  renameAccount: {
    method: "PATCH",
    path: "/api/account",
    summary: "Rename the account",
    description: "Names are for people: nothing depends on them.",
    body: z
      .strictObject({
        name: z
          .string()
          .meta({ description: "1 to 100 characters.", minLength: 1, maxLength: 100, examples: ["Acme"] }),
      })
      .meta({ id: "RenameAccountRequest" }),
    ...changing({ access: "account.write", success: { 200: account } }),
  },
  requireSecondFactor: {
    method: "PUT",
    path: "/api/account/second-factor",
    summary: "Want a second factor of all members",
    description: "Who has shown none does not demand it of others.",
    body: z.strictObject({ required: z.boolean() }).meta({ id: "RequireSecondFactorRequest" }),
    ...changing({
      access: "account.write",
      faults: ["auth.reauthentication_required"],
      success: { 200: account },
    }),
  },
  deleteAccount: {
    method: "DELETE",
    path: "/api/account",
    summary: "Delete the account",
    description:
      "For good, with all that it has; users stay. Keys and members are gone with the answer, messages and settings go in the background.",
    ...changing({
      access: "account.delete",
      faults: ["account.unknown", "account.first", "auth.reauthentication_required"],
      success: { 204: c.noBody() },
    }),
  },
});
