import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Key } from "../../gen/hermod/access/v1/key_service_pb.ts";
import type { KeyDemand } from "../../src/core/access/authenticate-key.ts";
import type { Scope } from "../../src/core/access/scopes.ts";
import { stateOfKey } from "../../src/core/keys/key-state.ts";
import { createListKeys } from "../../src/core/keys/list-keys.ts";
import { createReplaceKeyAccess } from "../../src/core/keys/replace-key-access.ts";
import type { CoreClient } from "../../src/rpc/client.ts";
import { testAudit } from "../harness/audit.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { repetitions } from "../harness/repetitions.ts";

let identity: Identity;
let accountId: string;
let owner: Pick<CoreClient, "keys" | "audits">;

beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount();
  owner = identity.as({ session: (await identity.memberOf(accountId)).token });
});

const inHours = (hours: number) =>
  timestampFromDate(new Date(identity.time.clock.now().getTime() + hours * 3_600_000));
const check = (
  apiKey: string,
  scope: Scope,
  clientAddress = "192.0.2.1",
  kind: KeyDemand["kind"] = "account",
) =>
  identity.frontEnd.keys.checkKey({ apiKey, kind, scope, clientAddress }).then(
    () => "accepted",
    ({ code }) => code,
  );
const full = { scopeMode: "full", scopes: [], senders: [], allowedAddresses: [] };

async function createKey(fields: object = {}) {
  const { key, secret } = await owner.keys.createKey({ name: "shop", ...fields });
  return { key: key as Key, id: key?.id ?? "", secret };
}

describe("the access of a key", () => {
  it("is reduced immediately, and extended again", async () => {
    const { id, secret } = await createKey();
    expect(await check(secret, "alerts.ingest")).toBe("accepted");
    const narrow = {
      scopeMode: "restricted",
      scopes: ["email.send"],
      senders: ["Example.com"],
      allowedAddresses: ["192.0.2.0/24"],
      expiresAt: inHours(2),
    };
    const { key } = await owner.keys.replaceKeyAccess({ key: id, ...narrow });
    expect(key).toMatchObject({ ...narrow, id, name: "shop", senders: ["example.com"], state: "active" });
    expect(await check(secret, "email.send")).toBe("accepted");
    expect(await check(secret, "alerts.ingest")).toBe("auth.scope_missing");
    expect(await check(secret, "email.send", "198.51.100.1")).toBe("auth.address_not_allowed");
    await owner.keys.replaceKeyAccess({ key: id, ...full });
    expect(await check(secret, "alerts.ingest", "198.51.100.1")).toBe("accepted");
    expect((await owner.keys.getKey({ key: id })).key?.expiresAt).toBeUndefined();
  });

  it("ends at its expiry", async () => {
    const { id, secret } = await createKey();
    await owner.keys.replaceKeyAccess({ key: id, ...full, expiresAt: inHours(1) });
    identity.time.pass(3_600_000);
    expect(await check(secret, "email.send")).toBe("auth.key_expired");
    const late = identity.as({ session: (await identity.memberOf(accountId)).token });
    await expect(late.keys.replaceKeyAccess({ key: id, ...full })).rejects.toMatchObject({
      code: "key.not_active",
    });
  });

  it("is recorded in the audit log, field by field", async () => {
    const { id } = await createKey({ senders: ["example.com"] });
    await owner.keys.replaceKeyAccess({ key: id, ...full, allowedAddresses: ["192.0.2.1"] });
    const { entries } = await owner.audits.listEntries({ filter: { action: "key.replace_access" } });
    expect(entries).toHaveLength(1);
    expect(entries[0]?.changes.map(({ field }) => field).sort()).toEqual(["allowedAddresses", "senders"]);
  });

  it("is not changed with another revision", async () => {
    const { id, key } = await createKey();
    const { revision } = (await owner.keys.replaceKeyAccess({ key: id, ...full, senders: ["a.example"] }))
      .key as Key;
    expect(revision).not.toBe(key.revision);
    const stale = owner.keys.replaceKeyAccess({ key: id, ...full, ifRevision: key.revision });
    await expect(stale).rejects.toMatchObject({ code: "resource.stale", revision });
    await owner.keys.replaceKeyAccess({ key: id, ...full, ifRevision: revision });
  });

  it("is not changed by an invalid request, and all errors are reported", async () => {
    const { id, key } = await createKey();
    const wrong = {
      scopeMode: "restricted",
      scopes: ["email.sent"],
      senders: ["example..com"],
      allowedAddresses: ["192.0.2.0/33"],
      expiresAt: inHours(-1),
    };
    const refused = await owner.keys.replaceKeyAccess({ key: id, ...wrong }).catch((error) => error);
    expect(refused.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      "/allowed_addresses/0",
      "/expires_at",
      "/scopes/0",
      "/senders/0",
    ]);
    const smtp = await createKey({ kind: "smtp" });
    const alerts = owner.keys.replaceKeyAccess({ key: smtp.id, ...full, scopeMode: "alerts_only" });
    await expect(alerts).rejects.toMatchObject({ errors: [{ pointer: "/scope_mode" }] });
    expect((await owner.keys.getKey({ key: id })).key).toEqual(key);
  });

  it("of a revoked or unknown key cannot be replaced", async () => {
    const { id } = await createKey();
    await owner.keys.revokeKey({ key: id });
    const replace = (key: string) => owner.keys.replaceKeyAccess({ key, ...full });
    await expect(replace(id)).rejects.toMatchObject({ code: "key.not_active" });
    await expect(replace("key_none")).rejects.toMatchObject({ code: "key.unknown" });
  });

  it("of a replaced key ends at most 30 days after the replacement", async () => {
    const { id, secret } = await createKey();
    await owner.keys.rotateKey({ key: id, overlapSeconds: 3_600 });
    const replace = (fields: object) => owner.keys.replaceKeyAccess({ key: id, ...full, ...fields });
    for (const fields of [{}, { expiresAt: inHours(30 * 24 + 1) }])
      await expect(replace(fields)).rejects.toMatchObject({ errors: [{ pointer: "/expires_at" }] });
    expect((await replace({ expiresAt: inHours(48) })).key?.state).toBe("replaced");
    identity.time.pass(47 * 3_600_000);
    expect(await check(secret, "email.send")).toBe("accepted");
  });

  it("cannot be extended beyond the role of the member", async () => {
    const { id, key } = await createKey({ scopeMode: "restricted", scopes: ["email.send"] });
    const { store } = identity;
    const authenticator = { forget: () => undefined };
    const replace = createReplaceKeyAccess({ store, authenticator, clock: identity.time.clock });
    const principal = { permissions: new Set(["keys.write", "email.send"]) } as never;
    const call = (fields: object) =>
      replace({ accountId, key: id, ...full, ifRevision: "", ...fields } as never, {
        principal,
        audit: testAudit,
      });
    await expect(call({})).rejects.toMatchObject({ code: "key.grant_exceeded" });
    expect((await owner.keys.getKey({ key: id })).key).toEqual(key);
    const narrow = { scopeMode: "restricted", scopes: ["email.send"], senders: ["example.com"] };
    expect((await call(narrow)).key).toMatchObject({ senders: ["example.com"] });
  });
});

describe("a search for keys", () => {
  const DAY_MS = 86_400_000;
  const names = ["Shop", "shop till", "Über", "Monitor", ""];
  const kinds = ["account", "smtp", "deliverability"] as const;

  it("has the same result as a plain evaluation, page by page", async () => {
    const { store } = identity;
    const now = identity.time.clock.now();
    const day = (days: number) => new Date(now.getTime() + days * DAY_MS);
    const fields = fc.record({
      name: fc.constantFrom(...names),
      kind: fc.constantFrom(...kinds),
      createdAt: fc.constantFrom(day(-40), day(-1)),
      lastUsedAt: fc.option(fc.constantFrom(day(-35), day(-2)), { nil: undefined }),
      revokedAt: fc.option(fc.constant(day(-1)), { nil: undefined, freq: 4 }),
      expiresAt: fc.option(fc.constantFrom(day(-1), now, day(1)), { nil: undefined }),
      supersededAt: fc.option(fc.constant(day(-1)), { nil: undefined, freq: 3 }),
    });
    const filter = fc.record({
      kind: fc.constantFrom("", ...kinds),
      state: fc.constantFrom("", "active", "unused", "replaced", "expired", "revoked"),
      query: fc.constantFrom("", " SHOP ", "über", "hm_live_ab1", "KEY_", "none"),
      pageSize: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fields, { maxLength: 12 }), filter, async (made, asked) => {
        const id = await identity.openAccount();
        const keys = made.map((one, index) => ({
          _id: `key_${id}_${String(index).padStart(2, "0")}`,
          prefix: `hm_live_ab${index}`,
          hash: `${id}.${index}`,
          scopeMode: "full" as const,
          scopes: [],
          senders: [],
          allowedAddresses: [],
          ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)),
        }));
        for (const key of keys) await store.forAccount(id).keys.insert(key as never, testAudit);
        const text = asked.query.trim().toLowerCase();
        const expected = keys.filter((key) => {
          const one = key as never as Parameters<typeof plainState>[0];
          if (asked.kind !== "" && one.kind !== asked.kind) return false;
          if (asked.state !== "" && plainState(one, now) !== asked.state) return false;
          const isNamed = one.name.toLowerCase().indexOf(text) >= 0;
          return isNamed || key._id.toLowerCase().indexOf(text) === 0 || key.prefix.indexOf(text) === 0;
        });
        const list = createListKeys({ store, clock: identity.time.clock });
        const found: string[] = [];
        let pageToken = "";
        do {
          const page = await list({ accountId: id, ...asked, pageToken } as never);
          expect(page.keys?.length).toBeLessThanOrEqual(asked.pageSize);
          found.push(...(page.keys ?? []).map((key) => key.id ?? ""));
          pageToken = page.nextPageToken ?? "";
        } while (pageToken !== "");
        expect(found).toEqual(expected.map(({ _id }) => _id));
      }),
      { numRuns: repetitions(30, 300) },
    );
  });

  /** States as described in the contract. */
  function plainState(
    key: {
      readonly kind: string;
      readonly name: string;
      readonly createdAt: Date;
      readonly lastUsedAt?: Date;
      readonly revokedAt?: Date;
      readonly expiresAt?: Date;
      readonly supersededAt?: Date;
    },
    now: Date,
  ): string {
    if (key.revokedAt !== undefined) return "revoked";
    const isOver = key.expiresAt !== undefined && key.expiresAt.getTime() <= now.getTime();
    if (isOver) return "expired";
    if (key.supersededAt !== undefined) return "replaced";
    const since = key.lastUsedAt ?? key.createdAt;
    return now.getTime() - since.getTime() > 30 * DAY_MS ? "unused" : "active";
  }

  it("refuses unknown states and kinds", async () => {
    await expect(owner.keys.listKeys({ state: "gone", kind: "other" })).rejects.toMatchObject({
      errors: [{ pointer: "/kind" }, { pointer: "/state" }],
    });
    expect(stateOfKey({ createdAt: new Date(0) }, new Date(0))).toBe("active");
  });
});
