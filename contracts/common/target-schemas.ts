import { z } from "zod";
import { accountId, moment } from "../dashboard/common.ts";
import { revision } from "./revision.ts";
import { text, texts } from "./text-field.ts";
import { partsOf } from "./text-part.ts";

/** Alert targets and their deliveries in responses. */

const number = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const TARGET = "atg_01k9z4c3r8h2v6y0n5t7w1x3q9";
const NOTICE = "ntc_01k9z4c3r8h2v6y0n5t7w1x3q9";

export const targetKind = z.enum(["webhook", "slack", "teams"]).meta({
  description:
    "`webhook`: signed JSON; `slack`: an incoming webhook of Slack, or of a service with the same format; `teams`: a workflow of Microsoft Teams that posts adaptive cards. It cannot be changed.",
  examples: ["slack"],
});
export const targetName = text(
  "1 to 100 characters of `a-z 0-9 . _ -`, unique within the account.",
  "ops-channel",
);
export const targetDescription = text("Description for people, at most 200 characters.", "Channel #ops");
export const targetRate = z
  .int()
  .min(1)
  .max(100)
  .meta({
    description:
      "Largest number of requests per second: 1 for `slack`, 1 to 4 for `teams`, 1 to 100 for `webhook`. Further notices wait. Default: 1, 1 and 10.",
    examples: [1],
  });

export const target = z
  .object({
    id: text("Id of the target.", TARGET),
    account_id: accountId,
    kind: targetKind,
    name: targetName,
    description: targetDescription,
    host: text("Host of the URL. The rest of the URL is a secret and not shown.", "hooks.slack.com"),
    headers: texts("Names of the headers of every request. Their values are not shown.", "Authorization"),
    rate_per_second: targetRate,
    secrets: z
      .array(
        z
          .object({
            created_at: moment("Time of creation."),
            expires_at: moment("Time until which the secret signs. Missing: until it is rotated.").optional(),
          })
          .meta({ id: "TargetSecret", description: "Secret that signs requests. It is not shown." }),
      )
      .meta({
        description:
          "Secrets of a `webhook`, newest first. There are two during a rotation. Empty for others.",
      }),
    state: text(
      "`unused`: nothing was sent yet; `working`: the last attempt was accepted; `failing`: the last attempt failed. A test does not change the state.",
      "working",
    ),
    last_delivered_at: moment("Time of the last accepted notice. Missing: there is none.").optional(),
    last_failed_at: moment("Time of the last failed attempt. Missing: there is none.").optional(),
    last_failure: text("Reason of the last failed attempt; empty if there is none.", "it answered 404"),
    last_failure_parts: partsOf("last_failure"),
    created_at: moment("Time of creation."),
    updated_at: moment("Time of the last change."),
    revision,
  })
  .meta({ id: "Target", description: "A receiver of alert notices in addition to mail." });

export const createdTarget = target
  .extend({
    secret: text(
      "Secret to verify requests. It is shown only once. Empty for other kinds than `webhook`.",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwvKQ9r8GKYqo=",
    ),
  })
  .meta({ id: "TargetWithSecret", description: "An alert target with its new secret." });

export const targetDelivery = z
  .object({
    id: text("Id of the delivery.", `${TARGET}.${NOTICE}`),
    target_id: text("Id of the target.", TARGET),
    target_name: text("Name of the target when the notice was created.", "ops-channel"),
    kind: text("Kind of the target: `webhook`, `slack` or `teams`.", "slack"),
    event_id: text("Id of the notice for the receiver, the same in all attempts: `webhook-id`.", NOTICE),
    type: text("`incident.notice` or `incident.digest`.", "incident.notice"),
    rule: text("Name of the rule.", "pager"),
    incident_id: text("Id of the incident; empty for a digest.", "inc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    number: number("Number of the notice within the incident, or of the digest.", 1),
    at: moment("Time of the notice."),
    state: text(
      "`pending`: an attempt is due at `due_at`; `delivered`: the target accepted it; `failed`: all attempts failed, or the target refused it; `dropped`: the target was removed; `unknown`: it is not stored yet, or no longer.",
      "delivered",
    ),
    attempts: number("Number of attempts.", 1),
    due_at: moment("Time of the next attempt. Missing if there is none.").optional(),
    ended_at: moment("Time when the delivery ended. Missing while it is pending.").optional(),
    status: number("HTTP status of the last answer; 0 if there was none.", 200),
    detail: text("Result of the last attempt, or reason of the end; empty before.", "it answered 200"),
    detail_parts: partsOf("detail"),
    answer: text("Beginning of the last answer. Empty in the history of an incident.", "ok"),
  })
  .meta({ id: "TargetDelivery", description: "A notice on its way to an alert target." });
