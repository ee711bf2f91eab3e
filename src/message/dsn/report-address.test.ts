import { describe, expect, it } from "vitest";
import { newId } from "../../shared/ids.ts";
import { parseAddress } from "../address/addresses.ts";
import { createReportAddresses, isReportAddress } from "./report-address.ts";

const domain = "bounce.example.com";
const addresses = createReportAddresses({ domain, secret: "first secret" });
const id = newId("dom", new Date("2026-11-23T10:00:00Z"));

describe("a report address", () => {
  it("names its domain, in any case, and is an address that every host accepts", () => {
    for (const address of Object.values(addresses.encode(id))) {
      expect(addresses.decode(address)).toBe(id);
      expect(addresses.decode(address.toUpperCase())).toBe(id);
      expect(isReportAddress(address.toUpperCase(), domain)).toBe(true);
      expect(address.indexOf("@")).toBeLessThanOrEqual(64);
      expect(parseAddress(address)).toMatchObject({ ok: true, address });
    }
  });

  it("cannot be forged", () => {
    const { dmarc } = addresses.encode(id);
    const other = addresses.encode(newId("dom", new Date("2026-11-23T10:00:01Z"))).dmarc;
    for (const wrong of [
      dmarc.replace(/-[0-9a-f]/, (end) => (end === "-0" ? "-1" : "-0")),
      dmarc.slice(0, 32) + other.slice(32),
      dmarc.replace(/[0-9a-f]@/, "@"),
      dmarc.replace(domain, "bounces.example.com"),
      dmarc.replace(domain, `hm-bounce.example.org`),
      dmarc.replace("dmarc+", "b+"),
      `<${dmarc}>`,
      "dmarc@bounce.example.com",
      "",
    ])
      expect(addresses.decode(wrong)).toBeUndefined();
    expect(createReportAddresses({ domain, secret: "another secret" }).decode(dmarc)).toBeUndefined();
    expect(() => addresses.encode("msg_01k9z4c3r8h2v6y0n5t7w1x3q9")).toThrow(RangeError);
    expect(() => createReportAddresses({ domain, secret: "" })).toThrow(RangeError);
  });

  it("is valid as long as its signing secret is known", () => {
    const rotated = createReportAddresses({ domain, secret: "second", olderSecrets: ["first secret"] });
    expect(rotated.decode(addresses.encode(id).tls)).toBe(id);
    expect(rotated.encode(id)).not.toEqual(addresses.encode(id));
  });
});
