import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { changing, reading } from "../common/session-access.ts";
import { accountId, listSearch, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const value = z.string().meta({
  description: "Address, or domain in A-labels.",
  examples: ["news@example.com"],
});

export const sender = z
  .object({
    id: z.string().meta({ description: "Id of the sender.", examples: ["snd_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    account_id: accountId,
    kind: z.string().meta({ description: "`address` or `domain`.", examples: ["address"] }),
    value,
    verified_at: moment(
      "Time of verification. From then on, mail can be sent from it. Missing until its link is opened.",
    ).optional(),
    verified_by: z.string().meta({
      description:
        "`operator`: verified by the operator; `link`: verified by a link that was mailed to it; empty: not verified.",
      examples: ["link"],
    }),
    link_expires_at: moment("Time when the mailed link expires. Missing if no link is open.").optional(),
  })
  .meta({ id: "Sender", description: "An address or a domain from which mail can be sent." });

const pathParams = z.object({ sender: value });

export const senders = c.router({
  listSenders: {
    method: "GET",
    path: "/api/senders",
    summary: "List senders",
    description:
      "Lists addresses and domains by value, including addresses that wait for verification. Domains that DNS records verify are in the list of domains.",
    query: pageQuery.extend({
      search: listSearch,
      state: z
        .enum(["verified", "pending"])
        .optional()
        .meta({
          description: "`verified`, or `pending`: the verification link was not opened yet.",
          examples: ["pending"],
        }),
    }),
    ...reading({
      access: "senders.read",
      faults: ["request.validation_failed"],
      success: { 200: page("SenderList", sender) },
    }),
  },
  verifySender: {
    method: "POST",
    path: "/api/senders",
    summary: "Verify an address",
    description:
      "Sends a verification link to the address. The link is valid for 24 hours. A further request replaces the link. An address that is already verified stays verified, and no mail is sent.",
    body: z.strictObject({ value }).meta({ id: "VerifySenderRequest" }),
    ...changing({
      access: "senders.write",
      faults: ["sender.too_many", "mail.not_configured", "mail.throttled"],
      success: { 200: sender },
    }),
  },
  removeSender: {
    method: "DELETE",
    path: "/api/senders/:sender",
    query: removalQuery,
    pathParams,
    summary: "Remove a sender",
    description:
      "Removes a sender. Mail can no longer be sent from it, with immediate effect. This includes a sender that the operator verified.",
    ...changing({
      access: "senders.write",
      faults: ["sender.unknown", "resource.in_use"],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
});
