import { createHash, createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { capturedSource, email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod({ settings: { HERMOD_KEY_CACHE_MS: "0" } });
});
afterAll(() => hermod.dispose());

async function sent(): Promise<string> {
  const { accepted } = await post(hermod, email({ html: "<p>Hi</p>", subject: "Grüße" }));
  return (await eventually(() => capturedSource(hermod, accepted.message_id))).toString("latin1");
}

/** The DKIM-Signature fields of a message, unfolded, as tags. */
function signatures(source: string): Record<string, string>[] {
  const header = source.slice(0, source.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  return header
    .split("\r\n")
    .filter((line) => line.startsWith("DKIM-Signature:"))
    .map((line) =>
      Object.fromEntries(
        line
          .slice(15)
          .split(";")
          .map((tag) => tag.trim().split(/=(.*)/s).slice(0, 2)),
      ),
    );
}

/** Verifies as RFC 6376 section 6 says, with the keys that the records publish; the body is in its canonical form. */
function verified(source: string, domain: Domain): string[] {
  const [head = "", body = ""] = [
    source.slice(0, source.indexOf("\r\n\r\n")),
    source.slice(source.indexOf("\r\n\r\n") + 4),
  ];
  const fields = head.replace(/\r\n(?=[ \t])/g, "").split("\r\n");
  const relaxed = (field: string) => {
    const colon = field.indexOf(":");
    return `${field.slice(0, colon).toLowerCase()}:${field
      .slice(colon + 1)
      .replace(/[ \t]+/g, " ")
      .trim()}`;
  };
  const canonicalBody = `${body
    .replace(/[ \t]+(?=\r\n)/g, "")
    .replace(/[ \t]+/g, " ")
    .replace(/(?:\r\n)*$/, "")}\r\n`;
  const bodyHash = createHash("sha256").update(canonicalBody, "latin1").digest("base64");
  return signatures(source).flatMap((tags) => {
    const key = domain.keys.find(({ selector }) => selector === tags.s);
    if (!key || tags.bh?.replaceAll(" ", "") !== bodyHash) return [];
    const left = [...fields];
    const names = (tags.h ?? "").replaceAll(" ", "").toLowerCase().split(":");
    const signed = names.flatMap((name) => {
      const at = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name}:`));
      return at < 0 ? [] : left.splice(at, 1).map((field) => `${relaxed(field)}\r\n`);
    });
    const own =
      fields.find((field) => field.startsWith("DKIM-Signature:") && field.includes(`s=${tags.s};`)) ?? "";
    const data = Buffer.from(signed.join("") + relaxed(own.replace(/(;\s*b=)[^;]*/, "$1")), "latin1");
    const published = Buffer.from(/p=(.*)$/.exec(key.recordValue)?.[1] ?? "", "base64");
    const signature = Buffer.from((tags.b ?? "").replaceAll(" ", ""), "base64");
    const isRsa = key.algorithm === "rsa-sha256";
    const spki = isRsa
      ? published
      : Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), published]);
    const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
    const good = isRsa
      ? verify("sha256", data, publicKey, signature)
      : verify(null, createHash("sha256").update(data).digest(), publicKey, signature);
    return good ? [key.algorithm] : [];
  });
}

it("is not there for a domain without keys", async () => {
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

it("goes over to the next keys when their time has come, and not before", async () => {
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

it("has no keys of a domain that is none or was never added", async () => {
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
