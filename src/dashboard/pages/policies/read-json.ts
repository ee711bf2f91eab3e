import type { PolicyContent } from "../../api/policies.ts";

/** Why a text cannot be shown as a form: it is not JSON, or the part at a pointer has another type. */
export type JsonFault =
  | { readonly kind: "syntax"; readonly message: string }
  | { readonly kind: "shape"; readonly pointer: string };

export type ReadJson = { readonly content: PolicyContent } | { readonly fault: JsonFault };

/** Settings of a policy from a text. The server validates the values, and refuses unknown fields. */
export function readJson(text: string): ReadJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { fault: { kind: "syntax", message } };
  }
  const pointer = content(value, "");
  if (pointer !== undefined) return { fault: { kind: "shape", pointer } };
  return { content: value as PolicyContent };
}

/** @returns pointer of the first part with another type; undefined: there is none */
type Check = (value: unknown, at: string) => string | undefined;

const ofType =
  (type: "string" | "number" | "boolean"): Check =>
  (value, at) =>
    typeof value === type ? undefined : at;
const text = ofType("string");
const number = ofType("number");
const flag = ofType("boolean");

const list =
  (item: Check): Check =>
  (value, at) =>
    Array.isArray(value) ? firstOf(value.map((one, index) => item(one, `${at}/${index}`))) : at;

/** @param required names of the fields that must be present */
const object =
  (fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return at;
    const values = value as Readonly<Record<string, unknown>>;
    const faults = Object.entries(fields).map(([name, check]) => {
      const isMissing = values[name] === undefined && !required.includes(name);
      return isMissing ? undefined : check(values[name], `${at}/${name}`);
    });
    return firstOf(faults);
  };

const firstOf = (faults: readonly (string | undefined)[]) => faults.find((fault) => fault !== undefined);

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

const content = object(
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
