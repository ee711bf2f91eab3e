import { describe, expect, it } from "vitest";
import { dnsHosts, hostOf, likelyZone, recordAt, zonesOf } from "./dns-hosts.ts";

const at = (host: string, zone: string, record: Parameters<typeof recordAt>[2]) =>
  recordAt(dnsHosts[host] ?? { isRelative: false }, zone, record);

describe("records in the format of DNS providers' forms", () => {
  it.each([
    ["other", "_hermod.mail.example.com", "_hermod.mail.example.com"],
    ["namecheap", "_hermod.mail.example.com", "_hermod.mail"],
    ["godaddy", "example.com", "@"],
    ["cloudflare", "other.example", "other.example"],
  ])("%s names %s %s", (host, name, shown) => {
    expect(at(host, "example.com", { type: "TXT", name, value: "x" }).name).toBe(shown);
  });

  it("split long values into quoted strings if the form requires it", () => {
    const value = `v=DKIM1; p=${"A".repeat(400)}`;
    const shown = at("route53", "example.com", {
      type: "TXT",
      name: "k._domainkey.example.com",
      value,
    }).value;
    const strings = shown.split(" ").length;
    expect(shown.startsWith('"v=DKIM1;')).toBe(true);
    const parts = [...shown.matchAll(/"([^"]*)"/g)].map(([, part]) => part ?? "");
    expect([parts.join(""), parts.every((part) => part.length <= 255), strings > 1]).toEqual([
      value,
      true,
      true,
    ]);
    expect(at("namecheap", "example.com", { type: "TXT", name: "a", value }).value).toBe(value);
  });

  it("end targets with a dot if the form requires it", () => {
    const alias = { type: "CNAME", name: "bounce.example.com", value: "bounces.example.net" };
    expect(at("digitalocean", "example.com", alias).value).toBe("bounces.example.net.");
    expect(at("cloudflare", "example.com", alias).value).toBe("bounces.example.net");
  });

  it("find the host by its name in the API, and the zone by the labels", () => {
    expect([hostOf("Amazon Route 53"), hostOf("Gandi"), hostOf("")]).toEqual(["route53", "other", "other"]);
    expect(zonesOf("news.shop.example.com")).toEqual([
      "example.com",
      "shop.example.com",
      "news.shop.example.com",
    ]);
    expect(["news.example.com", "shop.co.uk", "news.shop.co.uk", "t.me"].map(likelyZone)).toEqual([
      "example.com",
      "shop.co.uk",
      "shop.co.uk",
      "t.me",
    ]);
  });
});
