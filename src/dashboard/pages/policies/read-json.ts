import type { PolicyContent } from "../../api/policies.ts";
import {
  flag,
  list,
  number,
  object,
  type ReadJson,
  readJsonAs,
  text,
} from "../../parts/drafts/json-shape.ts";

const server = object({ host: text, port: number }, ["host"]);
const transport = object({
  sandbox: object({}),
  smtp: object(
    { servers: list(server), tls: text, username: text, password: text, max_connections: number, dkim: text },
    ["servers"],
  ),
  direct: object({ tls: text, max_connections: number, dkim: text }),
});
const transports = list(transport);

const shape = object(
  {
    transports,
    rules: list(object({ domains: list(text), transports }, ["domains", "transports"])),
    retry: object({ waits_seconds: list(number) }, ["waits_seconds"]),
    max_age_seconds: number,
    priority: text,
    limits: object({ concurrency: number, messages_per_minute: number }),
    source: object({ address: text, address6: text, helo_name: text }),
    list_unsubscribe: flag,
    tracking: object({ opens: flag, clicks: flag }),
  },
  ["transports"],
);

/** Settings of a policy from a text. */
export const readJson = (source: string): ReadJson<PolicyContent> => readJsonAs(shape, source);
