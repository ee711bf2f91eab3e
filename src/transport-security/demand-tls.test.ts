import type { DetailedPeerCertificate } from "node:tls";
import { describe, expect, it } from "vitest";
import type { Phrase } from "../shared/phrase.ts";
import { createDemandTls, type DemandTlsOptions } from "./demand-tls.ts";
import type { RefusedServer, TlsDemand } from "./tls-demand.ts";
import { verifiedDemand } from "./tls-demand.ts";

const host = { exchange: "mx.d.test", preference: 10, authenticated: true };
const peer = (authorized: boolean, name = "mx.d.test") => ({
  serverName: name,
  authorized,
  authorizationError: authorized ? undefined : "self-signed",
  certificate: {} as DetailedPeerCertificate,
});

const another: Phrase = { text: "DANE: another", parts: [] };
const noCertificate: TlsDemand = { level: "required", key: "required" };
const daneFor = (name: string): TlsDemand => ({
  level: "required",
  key: `required dane:${name}`,
  verify: ({ serverName }) => (serverName === name ? undefined : another),
});
const refused: RefusedServer = { refused: { text: "not this one", parts: [] } };
const settings = ["opportunistic", "required", "verified"] as const;

type Answer = TlsDemand | RefusedServer | undefined;

function demand(setting: DemandTlsOptions["setting"], dane?: Answer, mtaSts?: Answer) {
  return createDemandTls({ setting, dane: async () => dane, mtaSts: async () => mtaSts })("d.test", host);
}

async function accepted(
  setting: DemandTlsOptions["setting"],
  dane?: Answer,
  mtaSts?: Answer,
): Promise<TlsDemand> {
  const demanded = await demand(setting, dane, mtaSts);
  if ("refused" in demanded) throw new Error(demanded.refused.text);
  return demanded;
}

describe("the demand for TLS", () => {
  it.each([
    ["opportunistic", "opportunistic", true],
    ["required", "required", true],
    ["verified", "required", false],
  ] as const)(
    "is the one of the policy if no other source demands TLS: %s",
    async (setting, level, anybody) => {
      for (const demanded of [await createDemandTls({ setting })("d.test", host), await demand(setting)]) {
        if ("refused" in demanded) throw new Error(demanded.refused.text);
        expect(demanded).toMatchObject({
          level,
          key: setting === "verified" ? "required verified" : setting,
        });
        expect(demanded.verify?.(peer(true))).toBeUndefined();
        expect(demanded.verify?.(peer(false)) === undefined).toBe(anybody);
      }
    },
  );

  it.each(settings)("is at least the demand of MTA-STS: %s", async (setting) => {
    const demanded = await accepted(setting, undefined, verifiedDemand);
    expect(demanded).toMatchObject({ level: "required", key: "required verified" });
    expect(demanded.verify?.(peer(true))).toBeUndefined();
    expect(demanded.verify?.(peer(false))?.text).toContain("self-signed");
  });

  it("is at least TLS if DANE records exist, and more if another source demands it", async () => {
    expect(await accepted("opportunistic", noCertificate)).toEqual(noCertificate);
    expect(await accepted("verified", noCertificate)).toMatchObject({ key: "required verified" });
    expect(await accepted("opportunistic", noCertificate, verifiedDemand)).toMatchObject({
      key: "required verified",
    });
    expect(await demand("opportunistic", noCertificate, refused)).toEqual(refused);
  });

  it.each(settings)("follows DANE if its records name the certificate: %s", async (setting) => {
    for (const mtaSts of [undefined, verifiedDemand, refused]) {
      const demanded = await accepted(setting, daneFor("mx.d.test"), mtaSts);
      expect(demanded.level).toBe("required");
      expect(demanded.verify?.(peer(true))).toBeUndefined();
      expect(demanded.verify?.(peer(true, "other"))?.text).toContain("DANE");
      // The demand of the operator applies in addition.
      expect(demanded.verify?.(peer(false)) === undefined).toBe(setting !== "verified");
    }
  });

  it.each(settings)("refuses a server that DANE or MTA-STS refuses: %s", async (setting) => {
    expect(await demand(setting, refused, verifiedDemand)).toEqual(refused);
    expect(await demand(setting, undefined, refused)).toEqual(refused);
  });

  it("is not weakened by a check that only observes, which still receives the result", async () => {
    const seen: boolean[] = [];
    const observer: TlsDemand = {
      level: "opportunistic",
      key: "opportunistic observed",
      verify: ({ authorized }) => void seen.push(authorized),
    };
    const keys = { opportunistic: "opportunistic observed", required: "required observed" };
    for (const setting of settings) {
      const demanded = await accepted(setting, undefined, observer);
      expect(demanded.key).toBe({ ...keys, verified: "required observed verified" }[setting]);
      expect(demanded.level).toBe(setting === "opportunistic" ? "opportunistic" : "required");
      demanded.verify?.(peer(true));
    }
    expect(seen).toEqual([true, true, true]);
  });

  it("has one key per distinct demand", async () => {
    const all = [
      await accepted("opportunistic"),
      await accepted("required"),
      await accepted("verified"),
      await accepted("opportunistic", daneFor("a")),
      await accepted("opportunistic", daneFor("b")),
      await accepted("verified", daneFor("a")),
      await accepted("verified", daneFor("b")),
    ].map(({ key }) => key);
    expect(new Set(all).size).toBe(all.length);
    expect((await accepted("required", daneFor("a"))).key).toBe(all[3]);
    expect((await accepted("required", noCertificate)).key).toBe(all[1]);
    expect((await accepted("required", undefined, verifiedDemand)).key).toBe(all[2]);
  });
});
