import { z } from "zod";

const moment = (description: string) =>
  z.string().meta({ description, format: "date-time", examples: ["2026-11-22T09:30:00.000Z"] });

/** States of messages in responses. Later versions may add states. */
export const messageStates = [
  "scheduled",
  "queued",
  "deferred",
  "delivered",
  "captured",
  "bounced",
  "complained",
  "suppressed",
  "expired",
  "failed",
  "cancelled",
] as const;

const sources = ["http", "smtp", "grpc", "dashboard", "alert", "report", "system"] as const;

/** A query parameter with one value, or several values as `name=a&name=b`. */
const several = <T extends z.ZodType>(value: T) =>
  z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(value));

const yesOrNo = (description: string) => z.enum(["yes", "no"]).optional().meta({ description });

/** Query parameters that filter messages. A message must match all of them. */
export const messageFilter = {
  recipient: z
    .string()
    .optional()
    .meta({
      description:
        "Recipient: an address, a domain such as `@example.com`, or words of the address such as `ada example`.",
      examples: ["@example.com"],
    }),
  sender: z
    .string()
    .optional()
    .meta({ description: "Address in From: an address, a domain, or words, as in `recipient`." }),
  subject: z
    .string()
    .optional()
    .meta({ description: "Words of the subject, in any order.", examples: ["order shipped"] }),
  tag: several(z.string()).optional().meta({ description: "Tags. The message must have all of them." }),
  metadata: several(z.string().regex(/^[^=]+=/))
    .optional()
    .meta({
      description: "Metadata entries as `name=value`. The message must have all of them.",
      examples: [["order=17"]],
    }),
  state: several(z.enum(messageStates))
    .optional()
    .meta({ description: "States. The message must be in one of them." }),
  routing_policy: z.string().optional().meta({ description: "Name of the routing policy." }),
  key_id: z.string().optional().meta({ description: "Id of the key that submitted the message." }),
  source: z.enum(sources).optional().meta({ description: "Source of the message." }),
  template: z.string().optional().meta({ description: "Name of the template." }),
  category: z.string().optional().meta({ description: "Category of the last rejection." }),
  trace_id: z.string().optional().meta({ description: "Id of the submission." }),
  message_id: z.string().optional().meta({ description: "Id of the message." }),
  from: moment(
    "Earliest time of acceptance, inclusive. For a notice to a sender, the time of the original message counts.",
  ).optional(),
  until: moment("Latest time of acceptance, exclusive.").optional(),
  provider: z
    .string()
    .optional()
    .meta({
      description:
        "Mailbox provider of the recipient, as in the counters: the name of a large provider, otherwise the domain.",
      examples: ["google"],
    }),
  opened: yesOrNo(
    "`yes`: a person opened the message, as far as known; `no`: otherwise. Opens by programs do not count.",
  ),
  clicked: yesOrNo("`yes`: a person followed a link in the message, as far as known; `no`: otherwise."),
  q: z
    .string()
    .optional()
    .meta({
      description:
        "Search query, combined with all other parameters. It can contain: words, each of which must be in the recipient, the sender or the subject; a message id, a trace id or a Message-ID field; the operators `from:`, `to:`, `subject:`, `tag:`, `state:`, `policy:`, `key:`, `template:` and `meta:name=value`. Put values with spaces in quotes. Repeated `state:`, `policy:`, `key:` and `template:` operators are alternatives. All other terms must match. An error gives the position of the invalid text.",
      examples: ['shipped to:@example.com state:bounced tag:"spring sale"'],
    }),
};
