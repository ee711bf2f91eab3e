import { afterAll, beforeAll, expect, it } from "vitest";
import { capturedSource, email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { signatures, verified } from "../harness/verify-dkim.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod({ settings: { HERMOD_KEY_CACHE_MS: "0" } });
});
afterAll(() => hermod.dispose());

async function sent(): Promise<string> {
  const { accepted } = await post(hermod, email({ html: "<p>Hi</p>", subject: "Grüße" }));
  return (await eventually(() => capturedSource(hermod, accepted.message_id))).toString("latin1");
}

it("signs nothing for a domain without keys", async () => {
  expect(signatures(await sent())).toEqual([]);
});

it("signs with both keys of the domain, as the records verify", async () => {
  const { domain } = await hermod.core.domains.addDomain({ domain: "Example.com" });
  if (!domain) throw new Error("no domain");
  expect(domain.keys.map(({ algorithm, state }) => `${algorithm} ${state}`).toSorted()).toEqual([
    "ed25519-sha256 signing",
    "rsa-sha256 signing",
  ]);
  expect(verified(await sent(), domain).toSorted()).toEqual(["ed25519-sha256", "rsa-sha256"]);
});

it("keeps the keys of a domain that is added again", async () => {
  const before = await hermod.core.domains.getDomain({ domain: "example.com" });
  const again = await hermod.core.domains.addDomain({ domain: "example.com" });
  expect(again.domain?.keys.map(({ selector }) => selector)).toEqual(
    before.domain?.keys.map(({ selector }) => selector),
  );
});

it("switches to the next keys at their time, and not before", async () => {
  const { domain } = await hermod.core.domains.rotateDomain({ domain: "example.com" });
  const upcoming =
    domain?.keys.filter(({ state }) => state === "upcoming").map(({ selector }) => selector) ?? [];
  expect(upcoming.length).toBe(2);
  const early = signatures(await sent()).map(({ s }) => s);
  expect(early.filter((selector) => upcoming.includes(selector ?? ""))).toEqual([]);
  expect(early.length).toBe(2);
  await withStore(hermod, (db) =>
    db
      .collection("domainKeys")
      .updateMany({ selector: { $in: upcoming } }, { $set: { signsFrom: new Date() } }),
  );
  const late = signatures(await sent()).map(({ s }) => s);
  expect(late.toSorted()).toEqual(upcoming.toSorted());
  const { domain: now } = await hermod.core.domains.getDomain({ domain: "example.com" });
  expect(now?.keys.map(({ state }) => state).toSorted()).toEqual([
    "retired",
    "retired",
    "signing",
    "signing",
  ]);
});

it("has no keys for an invalid domain or one that was never added", async () => {
  await expect(hermod.core.domains.addDomain({ domain: "no domain" })).rejects.toMatchObject({
    code: "request.validation_failed",
  });
  await expect(hermod.core.domains.getDomain({ domain: "example.net" })).rejects.toMatchObject({
    code: "domain.unknown",
  });
  await expect(hermod.core.domains.rotateDomain({ domain: "example.net" })).rejects.toMatchObject({
    code: "domain.unknown",
  });
});
