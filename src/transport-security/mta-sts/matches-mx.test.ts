import { describe, expect, it } from "vitest";
import { matchesMx } from "./matches-mx.ts";

describe("a pattern matches a mail exchange", () => {
  it.each([
    ["mail.example.com", "mail.example.com"],
    ["MAIL.example.COM.", "mail.example.com"],
    ["mail.example.com", "*.example.com"],
    ["xn--mller-kva.example", "*.example"],
    ["xn--mller-kva.example", "xn--mller-kva.example"],
  ])("%s: %s", (host, pattern) => {
    expect(matchesMx(host, ["other.example", pattern])).toBe(true);
  });

  it.each([
    ["mail.example.com", "example.com"],
    ["example.com", "*.example.com"],
    ["a.b.example.com", "*.example.com"],
    ["mail.example.com.evil.test", "mail.example.com"],
    ["evilmail.example.com", "mail.example.com"],
    ["mailXexample.com", "mail.example.com"],
    ["com", "*.com"],
    ["192.0.2.1", "*.0.2.1"],
    ["", "*.example.com"],
  ])("but not %s: %s", (host, pattern) => {
    expect(matchesMx(host, [pattern])).toBe(false);
  });
});
