import { z } from "zod";
import { type EventPayload, type EventType, eventSchemas } from "../events.ts";

/** Returns a realistic payload of the type, without fields that only exceptional events have. */
export function exampleOf<Type extends EventType>(type: Type): Extract<EventPayload, { type: Type }> {
  const { test: _, ...payload } = exampleOfSchema(eventSchemas[type]) as {
    readonly test?: boolean;
    readonly data: Readonly<Record<string, unknown>>;
  };
  const data = Object.entries({ ...payload.data, ...(EXAMPLES[type] ?? {}) });
  return {
    ...payload,
    data: Object.fromEntries(data.filter(([, value]) => value !== undefined)),
  } as unknown as Extract<EventPayload, { type: Type }>;
}

const SERVER = "direct mx.example.org[192.0.2.25]:25";
const refusal = (code: number, enhanced_code: string) => ({ reply: { server: SERVER, code, enhanced_code } });
const withoutReply = { reply: undefined, category: undefined };
const byPerson = { machine: false, machine_reason: undefined, proxy: undefined };

/** Values that replace the examples of the schema, so that the fields of one payload are consistent. `undefined` removes the field. */
const EXAMPLES: { readonly [Type in EventType]?: Readonly<Record<string, unknown>> } = {
  "message.accepted": { sequence: 1 },
  "message.scheduled": { sequence: 1 },
  "message.delivered": { category: undefined, sandbox: undefined },
  "message.deferred": { ...refusal(452, "4.2.2"), detail: "4.2.2 Mailbox full", category: "mailbox_full" },
  "message.bounced": { ...refusal(550, "5.1.1"), detail: "5.1.1 No such user" },
  "message.complained": {
    ...withoutReply,
    attempt: 0,
    sequence: 3,
    detail: "reported as abuse by example.org",
  },
  "message.suppressed": { ...withoutReply, attempt: 0, detail: "hard_bounce", suppressed_policy: undefined },
  "message.failed": { ...withoutReply, detail: "the message cannot be read", category: "other" },
  "message.expired": {
    ...refusal(451, "4.4.1"),
    sequence: 9,
    attempt: 8,
    detail: "4.4.1 Try again later",
    category: "other",
  },
  "message.cancelled": { ...withoutReply, attempt: 0, detail: "cancelled on request" },
  "message.opened": { sequence: 3, proxy: undefined },
  "message.clicked": {
    ...byPerson,
    sequence: 4,
    first: true,
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)",
  },
  "message.unsubscribed": { sequence: 4 },
  "suppression.created": { routing_policy: undefined },
  "suppression.deleted": { routing_policy: undefined },
  "domain.status_changed": { reasons: [] },
  "finding.opened": { text: 'example.com: "DMARC policy" is not met: p=none' },
  "finding.resolved": {
    text: 'example.com: "DMARC policy" is met again or no longer applies: p=reject',
  },
  "blacklist.listed": { text: "SpamCop lists 192.0.2.25 (127.0.0.2). Affected domain: example.com." },
  "blacklist.delisted": { text: "SpamCop no longer lists 192.0.2.25. Affected domain: example.com." },
  "incident.opened": { detail: "pager" },
  "incident.acknowledged": { state: "acknowledged" },
  "incident.resolved": { state: "resolved", firing: 0 },
};

function exampleOfSchema(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodOptional) return exampleOfSchema(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape);
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOfSchema(field)]));
  }
  const { examples = [] } = schema.meta() ?? {};
  return (examples as readonly unknown[])[0];
}
