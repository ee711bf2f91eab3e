import { z } from "zod";

const moment = (description: string) =>
  z.string().meta({ description, format: "date-time", examples: ["2026-11-22T09:30:00.000Z"] });

/** The states in which messages are shown; later versions may know more. */
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

/** One value may be given as it is, several as `name=a&name=b`. */
const several = <T extends z.ZodType>(value: T) =>
  z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(value));

const yesOrNo = (description: string) => z.enum(["yes", "no"]).optional().meta({ description });

/** What messages are searched by, as a query says it: what is given must all be met. */
export const messageFilter = {
  recipient: z
    .string()
    .optional()
    .meta({
      description:
        "An address, a domain as `@example.com`, or words that stand in the address, as `ada example`.",
      examples: ["@example.com"],
    }),
  sender: z.string().optional().meta({ description: "The address in From, in the same way." }),
  subject: z
    .string()
    .optional()
    .meta({ description: "Words of the subject, in any order.", examples: ["order shipped"] }),
  tag: several(z.string()).optional().meta({ description: "It has all of these tags." }),
  metadata: several(z.string().regex(/^[^=]+=/))
    .optional()
    .meta({ description: "It has all of these entries, as `name=value`.", examples: [["order=17"]] }),
  state: several(z.enum(messageStates)).optional().meta({ description: "It is in one of these states." }),
  routing_policy: z.string().optional().meta({ description: "It leaves by this policy." }),
  key_id: z.string().optional().meta({ description: "It came with this key." }),
  source: z.enum(sources).optional().meta({ description: "It came this way." }),
  template: z.string().optional().meta({ description: "It was made with this template." }),
  category: z.string().optional().meta({ description: "Its last refusal is about this." }),
  trace_id: z.string().optional().meta({ description: "The submission." }),
  message_id: z.string().optional().meta({ description: "The message itself." }),
  from: moment(
    "Accepted at this time or later; notices to senders count by the time of the message that they are about.",
  ).optional(),
  until: moment("Accepted before this time.").optional(),
  provider: z
    .string()
    .optional()
    .meta({
      description:
        "Mail provider of the recipient, as counters name it: a large provider, or else the domain.",
      examples: ["google"],
    }),
  opened: yesOrNo("Whether a person opened it, as far as is known; opens by programs do not count."),
  clicked: yesOrNo("Whether a person followed a link in it, as far as is known."),
  q: z
    .string()
    .optional()
    .meta({
      description:
        "A query, met beside all other parameters: words that stand in recipient, sender or subject, each in any of them; a message id, a trace id or a Message-ID field; and the operators `from:`, `to:`, `subject:`, `tag:`, `state:`, `policy:`, `key:`, `template:` and `meta:name=value`. Values with spaces are quoted. `state:`, `policy:`, `key:` and `template:` given several times are alternatives; all else must be met. An error names the position of the text that is wrong.",
      examples: ['shipped to:@example.com state:bounced tag:"spring sale"'],
    }),
};
