import { describe, expect, it } from "vitest";
import type { Alert } from "./alert.ts";
import { dedupScopeOf, fingerprintOf, groupKeyOf } from "./group-key.ts";

const alert: Alert = {
  eventType: "cpu.high",
  severity: "warning",
  source: "monitor-1",
  message: "17.5",
  context: {},
};
const of = (changes: Partial<Alert> = {}, dedupKey?: string, dedupScope?: string) =>
  fingerprintOf({ alert: { ...alert, ...changes }, dedupKey, dedupScope });
const group = (fields: string[] | undefined, changes: Partial<Alert> = {}) =>
  groupKeyOf({ alert: { ...alert, ...changes }, fingerprint: of(changes) }, fields);

describe("the fingerprint of alerts", () => {
  it("is the same for different messages and severities", () => {
    expect(of({ message: "18", severity: "critical", context: { load: 18 } })).toBe(of());
    const entity = { entityType: "host", entityId: "db-1" };
    expect(of({ ...entity, source: "monitor-2" })).toBe(of(entity));
    expect(of({ eventType: "a", entityId: "b", source: "c" }, "key")).toBe(of({}, "key"));
  });

  it("differs for another type or entity or, without an entity, another source", () => {
    const all = [
      ...[of(), of({ eventType: "cpu" }), of({ source: "monitor-2" }), of({ entityId: "" }), of({}, "")],
      ...[of({ entityId: "monitor-1" }), of({ entityType: "host" }), of({ entityType: "" })],
      ...[
        of({ entityId: "ü" }),
        of({ entityId: "u\u0308" }),
        of({ eventType: "", source: "cpu.highmonitor-1" }),
      ],
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("a deduplication key", () => {
  it("is scoped to its API key and endpoint", () => {
    const scopes = [
      ["", ""],
      ["key_1", ""],
      ["key_2", ""],
      ["key_1", "alertmanager"],
      ["", "alertmanager"],
    ] as const;
    const all = scopes.map(([keyId, endpoint]) => of({}, "disk", dedupScopeOf(keyId, endpoint)));
    expect(new Set(all).size).toBe(scopes.length);
  });

  it("does not change the fingerprint of alerts without one", () => {
    expect(of({}, undefined, dedupScopeOf("key_1", ""))).toBe(of());
  });
});

describe("the group key of an incident", () => {
  it("depends on the fields that the rule names", () => {
    expect(group(["source"], { eventType: "disk.full" })).toBe(group(["source"]));
    expect(group(["source"], { source: "other" })).not.toBe(group(["source"]));
    expect(group([], { eventType: "x", source: "y" })).toBe(group([]));
    expect(group(undefined)).toBe(of());
    const contexts = [{ n: 1 }, { n: "1" }, { n: null }, { n: "" }, { n: false }, {}].map((context) =>
      group(["context.n"], { context }),
    );
    // A null counts as a missing value.
    expect(new Set(contexts).size).toBe(5);
  });
});
