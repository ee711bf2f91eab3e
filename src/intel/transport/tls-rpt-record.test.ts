import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTlsRptRecord, parseTlsRpt } from "./tls-rpt-record.ts";

describe("a TLS-RPT record", () => {
  it.each<[string, string[], string[]]>([
    ["v=TLSRPTv1; rua=mailto:a@b.test", ["mailto:a@b.test"], []],
    ["v=TLSRPTv1;rua=mailto:a@b.test,https://b.test/x;", ["mailto:a@b.test", "https://b.test/x"], []],
    ["v=TLSRPTv1 ; x=y ; rua=mailto:a@b.test ; ", ["mailto:a@b.test"], []],
    ["v=TLSRPTv1; rua=mailto:a@b.test; rua=mailto:c@b.test", ["mailto:a@b.test", "mailto:c@b.test"], []],
    ["v=TLSRPTv1; rua=mailto:a@b.test,http://b.test", ["mailto:a@b.test"], ["http://b.test"]],
    ["v=TLSRPTv1; rua=https://b.test,mailto:a@b.test!10m", ["https://b.test"], ["mailto:a@b.test!10m"]],
  ])("%s has these addresses", (text, uris, unusable) => {
    expect(isTlsRptRecord(text)).toBe(true);
    expect(parseTlsRpt(text)).toEqual({ uris, unusable });
  });

  it.each([
    "v=TLSRPTv1;",
    "v=TLSRPTv1; RUA=mailto:a@b.test",
    "v=TLSRPTv1; rua=",
    "v=TLSRPTv1; rua=a@b.test",
    "v=TLSRPTv1; rua=https://",
    "v=TLSRPTv1; rua=mailto:a@b.test; x",
    "v=TLSRPTv1;; rua=mailto:a@b.test",
    `v=TLSRPTv1; rua=mailto:a@b.test;${" ".repeat(60_000)}x`,
  ])("%s has none", (text) => {
    expect(parseTlsRpt(text)).toEqual({ problem: expect.objectContaining({ text: expect.any(String) }) });
  });

  it.each(["", "v=TLSRPTv1", "v=tlsrptv1; rua=mailto:a@b.test", " v=TLSRPTv1;", "v=TLSRPTv2;"])(
    "%s is none",
    (text) => {
      expect(isTlsRptRecord(text)).toBe(false);
    },
  );

  it("is read or rejected, whatever its contents", () => {
    const part = fc.constantFrom(
      "v=TLSRPTv1;",
      "rua=",
      "mailto:",
      "a@b.test",
      ",",
      ";",
      " ",
      "!",
      "https://",
      "é",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
        const record = parseTlsRpt(parts.join(""));
        expect("problem" in record || record.uris.length > 0).toBe(true);
      }),
    );
  });
});
