import { describe, expect, it } from "vitest";
import { changesBetween } from "../../src/store/audit/changes.ts";
import type { Classes } from "../../src/store/audit/classes.ts";
import { auditedFields } from "../../src/store/collections/collections.ts";

interface Relay {
  readonly host: string;
  readonly password?: string;
  readonly ports: readonly number[];
  readonly inner: readonly { readonly name: string; readonly token?: string }[];
  readonly seenAt: Date;
}

const classes: Classes<Relay> = {
  host: "track",
  password: "secret",
  ports: "track",
  inner: { name: "track", token: "secret" },
  seenAt: "ignore",
};
const relay: Relay = { host: "a", ports: [25], inner: [{ name: "x", token: "t1" }], seenAt: new Date(0) };

describe("differences between two states", () => {
  it("are listed field by field, as JSON", () => {
    const after = { ...relay, host: "b", ports: [25, 587], inner: [{ name: "y" }, { name: "z" }] };
    expect(changesBetween(classes, relay, after)).toEqual([
      { field: "host", before: '"a"', after: '"b"' },
      { field: "ports", before: "[25]", after: "[25,587]" },
      { field: "inner.0.name", before: '"x"', after: '"y"' },
      { field: "inner.0.token", secret: true },
      { field: "inner.1.name", after: '"z"' },
    ]);
  });

  it("are empty if only technical fields differ", () => {
    expect(changesBetween(classes, relay, { ...relay, seenAt: new Date(1) })).toEqual([]);
  });

  it("never contain a secret when it is added, changed or removed", () => {
    const [one, two] = [
      { ...relay, password: "pw1" },
      { ...relay, password: "pw2" },
    ];
    for (const [before, after] of [
      [undefined, one],
      [one, two],
      [two, undefined],
    ] as const) {
      const changes = changesBetween(classes, before, after);
      expect(changes).toContainEqual({ field: "password", secret: true });
      expect(JSON.stringify(changes)).not.toMatch(/pw|t1/);
    }
  });

  it("contain nothing of a field without a class, and report it", () => {
    const unclassified: string[] = [];
    const after = {
      ...relay,
      host: { deep: "leak" },
      key: "leak",
      inner: [{ ...relay.inner[0], more: "leak" }],
    };
    const changes = changesBetween(classes, relay, after, (path) => unclassified.push(path));
    expect(unclassified).toEqual(["inner.0.more", "key"]);
    expect(changes.filter(({ secret }) => secret).map(({ field }) => field)).toEqual(["inner.0.more", "key"]);
  });

  it("contain nothing of a value in place of fields", () => {
    const changes = changesBetween(auditedFields.policy, { transports: "leak" }, { source: "leak" });
    expect(JSON.stringify(changes)).not.toContain("leak");
  });

  it("contain the length of a long value, and a digest", () => {
    const long = (letter: string) => ({ ...relay, host: letter.repeat(2_000) });
    const [change] = changesBetween(classes, long("a"), long("b"));
    expect(JSON.parse(change?.before ?? "")).toEqual({ characters: 2_002, sha256: expect.any(String) });
    expect(change?.after).not.toBe(change?.before);
  });

  it("are limited in number", () => {
    const inner = Array.from({ length: 5_000 }, (_, n) => ({ name: `${n}` }));
    const changes = changesBetween(classes, relay, { ...relay, inner });
    expect(changes).toHaveLength(100);
    expect(changes.at(-1)).toEqual({ field: "and 4902 more fields", secret: true });
  });
});

it("rejects a field without a class at compile time", () => {
  // @ts-expect-error `seenAt` is missing
  const missing: Classes<Relay> = { host: "track", password: "secret", ports: "track", inner: "ignore" };
  // @ts-expect-error `token` is missing, a level below
  const below: Classes<Relay> = { ...classes, inner: { name: "track" } };
  // @ts-expect-error fields within are classified one by one, or hidden as a whole
  const whole: Classes<Relay> = { ...classes, inner: "track" };
  expect([missing, below, whole]).toHaveLength(3);
});
