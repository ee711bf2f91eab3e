import { describe, expect, it } from "vitest";
import type { TransportSettings } from "../store/policy-document.ts";
import { decide, transportsFor } from "./transports-for.ts";

/** Transport that is identified by the name of its server. */
const to = (host: string): TransportSettings[] => [
  { kind: "smtp", servers: [{ host, port: 25 }], tls: "none", maxConnections: 1 },
];
const rule = (host: string, ...domains: string[]) => ({ domains, transports: to(host) });

function chosen(domain: string, ...rules: ReturnType<typeof rule>[]): string {
  const [first] = transportsFor({ rules, transports: to("policy") }, domain);
  return (first?.kind === "smtp" && first.servers[0]?.host) || "none";
}

describe("transports of a policy", () => {
  it("are its own if no rule names the domain", () => {
    expect(chosen("example.org")).toBe("policy");
    expect(chosen("example.org", rule("a", "example.com"))).toBe("policy");
    expect(transportsFor({ transports: to("policy") }, "example.org")).toEqual(to("policy"));
  });

  it("are those of the rule that names exactly this domain", () => {
    const rules = [rule("a", "example.com", "example.net"), rule("b", "example.org")];
    expect(chosen("example.net", ...rules)).toBe("a");
    expect(chosen("example.org", ...rules)).toBe("b");
    for (const other of ["mail.example.com", "notexample.com", "example.com.example", "com"]) {
      expect(chosen(other, ...rules)).toBe("policy");
    }
  });

  it("are those of a wildcard for every domain below it, but not for the domain itself", () => {
    const rules = [rule("a", "*.example.com")];
    for (const below of ["mail.example.com", "a.b.example.com"]) expect(chosen(below, ...rules)).toBe("a");
    for (const other of ["example.com", "mailexample.com", "example.com.org"]) {
      expect(chosen(other, ...rules)).toBe("policy");
    }
    expect(chosen("example.jp", rule("a", "*.jp"))).toBe("a");
  });

  it("are those of the first matching rule, even if a later rule is more specific", () => {
    expect(chosen("mail.example.com", rule("a", "*.example.com"), rule("b", "mail.example.com"))).toBe("a");
    expect(chosen("mail.example.com", rule("b", "mail.example.com"), rule("a", "*.example.com"))).toBe("b");
    expect(chosen("web.example.com", rule("b", "mail.example.com"), rule("a", "*.example.com"))).toBe("a");
  });

  it("come with the rule and the pattern that matched", () => {
    const rules = [rule("a", "*.b.example", "*.example"), rule("b", "example")];
    const decided = (domain: string) => decide({ rules, transports: to("policy") }, domain).rule;
    expect(decided("a.b.example")).toEqual({ index: 0, pattern: "*.b.example" });
    expect(decided("b.example")).toEqual({ index: 0, pattern: "*.example" });
    expect(decided("example")).toEqual({ index: 1, pattern: "example" });
    expect(decided("example.org")).toBeUndefined();
  });
});
