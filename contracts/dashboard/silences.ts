import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { ifRevisionOrNone, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";
import { conditions } from "./rules.ts";

const c = initContract();

const { match, any } = conditions;
const present = { match: match.unwrap(), any: any.unwrap() };

export const silence = z
  .object({
    id: text("Names the silence.", "sil_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    ...present,
    starts_at: moment("From then on."),
    ends_at: moment("Until then."),
    comment: text("Why.", "Maintenance of web-1"),
    created_by: text("Who made it.", "ada@example.com"),
    created_at: moment("When."),
    state: text("`pending`, `active` or `expired`.", "active"),
  })
  .meta({ id: "Silence", description: "For a time, what meets its conditions is told to nobody." });

export const newSilence = z
  .strictObject({
    ...conditions,
    starts_at: moment("From then on; missing: at once.").optional(),
    ends_at: moment("Until then: within a year."),
    comment: text("Why: 1 to 500 characters.", "Maintenance of web-1"),
    confirm: z
      .boolean()
      .optional()
      .meta({ description: "It is meant to silence every alert there is, as one without conditions does." }),
  })
  .meta({ id: "NewSilence", description: "A silence that is to be made." });

const side = (id: string, description: string) => z.strictObject(conditions).meta({ id, description });
const shownSide = (id: string, description: string) => z.object(present).meta({ id, description });
const equal = z.array(z.string()).meta({
  description: "Fields in which both must agree, up to 10; what is missing equals what is empty.",
  examples: [["entity_id"]],
});

const inhibition = z
  .object({
    id: text("Names it, whatever it is called.", "inh_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    name: text("1 to 100 of `a-z 0-9 . _ -`.", "host-down"),
    source: shownSide("InhibitionSource", "While something fires that meets these conditions,"),
    target: shownSide("InhibitionTarget", "what meets these is told to nobody."),
    equal,
    created_at: moment("When it was made."),
    updated_at: moment("When it was changed last."),
    revision,
  })
  .meta({ id: "Inhibition", description: "What is not told while something greater fires." });

const silenceId = z.object({ silence_id: z.string().meta({ description: "The silence's `id`." }) });
const inhibitionName = z.object({ name: z.string().meta({ description: "The inhibition's name." }) });

export const silences = c.router({
  listSilences: {
    method: "GET",
    path: "/api/silences",
    summary: "List silences",
    description: "The latest first, those that have ended among them.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("SilenceList", silence) },
    }),
  },
  createSilence: {
    method: "POST",
    path: "/api/silences",
    summary: "Silence alerts",
    description:
      "Incidents are opened all the same; what still fires at its end is told then. Whoever was told that something fires is told that it is over.",
    body: newSilence,
    ...changing({
      access: "alerts.write",
      faults: ["silence.too_many", "silence.unconfirmed"],
      success: { 201: silence },
    }),
  },
  endSilence: {
    method: "POST",
    path: "/api/silences/:silence_id/end",
    pathParams: silenceId,
    summary: "End a silence",
    description: "What fires is told at once. One that has ended stays as it is.",
    body: c.noBody(),
    ...changing({ access: "alerts.write", faults: ["silence.unknown"], success: { 200: silence } }),
  },
  listInhibitions: {
    method: "GET",
    path: "/api/inhibitions",
    summary: "List inhibitions",
    description: "By name; there are 100 at most.",
    ...reading({
      access: "alerts.read",
      success: {
        200: z
          .object({ data: z.array(inhibition) })
          .meta({ id: "InhibitionList", description: "All of them." }),
      },
    }),
  },
  putInhibition: {
    method: "PUT",
    path: "/api/inhibitions/:name",
    pathParams: inhibitionName,
    summary: "Make or replace an inhibition",
    body: z
      .strictObject({
        source: side("NewInhibitionSource", "While something fires that meets these conditions,"),
        target: side("NewInhibitionTarget", "what meets these is told to nobody."),
        equal: equal.optional(),
        if_revision: ifRevisionOrNone,
      })
      .meta({ id: "InhibitionReplacement", description: "What it is to be, as a whole." }),
    ...changing({
      access: "alerts.write",
      faults: ["inhibition.too_many", "resource.stale"],
      success: { 200: inhibition },
    }),
  },
  deleteInhibition: {
    method: "DELETE",
    path: "/api/inhibitions/:name",
    pathParams: inhibitionName,
    summary: "Remove an inhibition",
    query: ifRevisionQuery,
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: ["inhibition.unknown", "resource.stale"],
      success: { 204: c.noBody() },
    }),
  },
});
