import { z } from "zod";
import { accountId, emailAddress, moment, roleName, userId } from "../dashboard/common.ts";

export const session = z
  .object({
    id: z.string().meta({ description: "Id of the session.", examples: ["ses_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    created_at: moment("Time when the session began."),
    seen_at: moment("Time of the last use, to the minute."),
    ends_at: moment(
      "Time when the session ends at the latest. A session that is unused for 12 hours ends earlier.",
    ),
    authenticated_at: moment(
      "Time when a factor was last shown. Sensitive operations require a recent factor.",
    ),
    client_address: z.string().meta({ description: "IP address of the client at the start of the session." }),
    client_agent: z.string().meta({ description: "User-Agent of the client at the start of the session." }),
    current: z.boolean().meta({ description: "Whether this is the session of the request." }),
  })
  .meta({ id: "Session", description: "A session of a signed-in user in a browser." });

export const signedIn = z
  .object({
    session,
    user_id: userId,
    email: emailAddress,
    account_id: z.string().meta({
      description: "Current account of the session; empty if the user belongs to none.",
      examples: ["acc_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
    memberships: z
      .array(z.object({ account_id: accountId, account_name: z.string(), role: roleName }))
      .meta({ description: "All accounts of the user, oldest membership first." }),
    permissions: z.array(z.string()).meta({
      description: "Permissions of the user's role in the account, as `resource.verb`.",
      examples: [["keys.read", "keys.write"]],
    }),
    must_change_password: z.boolean().meta({
      description:
        "Whether the user must replace an initial password. Until then, the session allows only `GET` and `DELETE /api/session` and `POST /api/session/password`.",
    }),
    second_factor_required: z.boolean().meta({
      description:
        "Whether the session waits for its second factor, for up to ten minutes. Until then, it allows nothing else.",
    }),
    second_factors: z.array(z.string()).meta({
      description: "Second factors that the user can show: `passkey`, `totp`, `recovery_code`.",
      examples: [["totp", "recovery_code"]],
    }),
    second_factor_missing: z.boolean().meta({
      description:
        "Whether the account requires a second factor that the user has not set up. Until then, nothing else is allowed in the account.",
    }),
    factors: z.array(z.string()).meta({
      description: "Factors shown in the session: `password`, `totp`, `recovery_code`, `passkey`, `oidc`.",
      examples: [["password"]],
    }),
    encrypted: z.boolean().meta({
      description:
        "Whether the connection is encrypted. If not, anyone on the network path can take over the session.",
    }),
  })
  .meta({ id: "SignedIn", description: "Signed-in user with the permissions of the session." });
