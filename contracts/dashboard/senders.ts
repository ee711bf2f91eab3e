import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { forcedRemoval, removalQuery } from "../common/resource-use.ts";
import { changing, reading } from "../common/session-access.ts";
import { accountId, listSearch, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const value = z.string().meta({
  description: "The address, or the domain as A-labels.",
  examples: ["news@example.com"],
});

export const sender = z
  .object({
    id: z.string().meta({ description: "Names the sender.", examples: ["snd_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    account_id: accountId,
    kind: z.string().meta({ description: "`address` or `domain`.", examples: ["address"] }),
    value,
    verified_at: moment(
      "Since then mail may be sent from it; missing: its link was not followed yet.",
    ).optional(),
    verified_by: z.string().meta({
      description:
        "`operator`, who vouches for it, or `link`: whoever reads mail there has followed one; empty: it is not verified.",
      examples: ["link"],
    }),
    link_expires_at: moment("Until when the link that was mailed holds; missing: none is open.").optional(),
  })
  .meta({ id: "Sender", description: "An address or a domain that mail may be sent from." });

const pathParams = z.object({ sender: value });

export const senders = c.router({
  listSenders: {
    method: "GET",
    path: "/api/senders",
    summary: "List senders",
    description:
      "Addresses and domains by their value, those that wait for their links to be followed among them. Domains that their DNS records verify are in the list of domains.",
    query: pageQuery.extend({
      search: listSearch,
      state: z
        .enum(["verified", "pending"])
        .optional()
        .meta({
          description: "`verified`, or `pending`: its link was not followed yet.",
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
      "Mails a link to the address, which verifies it when whoever reads mail there follows it within 24 hours. Asked again, a new link takes the place of the former one. An address that is verified stays so, and no mail is sent.",
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
    description: "Mail may come from it no more, at once; one that the operator vouched for is gone as well.",
    ...changing({
      access: "senders.write",
      faults: ["sender.unknown", "resource.in_use"],
      success: { 200: forcedRemoval, 204: c.noBody() },
    }),
  },
});
