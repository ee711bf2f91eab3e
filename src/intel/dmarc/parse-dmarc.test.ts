import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DmarcRecord, formatDmarc, inTestMode, parseDmarc } from "./parse-dmarc.ts";
import { mailtoUri, parseReportUris } from "./report-uri.ts";

const parse = (text: string): DmarcRecord => {
  const record = parseDmarc(text);
  if (!record) throw new Error(`no record: ${text}`);
  return record;
};
const kinds = (text: string) => parse(text).problems.map(({ kind }) => kind);

describe("the beginning of a record", () => {
  it.each([
    "v=DMARC1",
    "v=DMARC1;",
    "v=DMARC1;p=none",
    "v = DMARC1 ; p = none ;",
    "v\t=\tDMARC1\t;",
    "V=DMARC1",
  ])("may be %j", (text) => {
    expect(parseDmarc(text)).toBeDefined();
  });

  it.each([
    "",
    "v=dmarc1; p=none",
    "v=Dmarc1; p=none",
    "v=DMARC1 p=none",
    "v=DMARC10; p=none",
    "v=DMARC2; p=none",
    " v=DMARC1; p=none",
    '"v=DMARC1; p=none"',
    "p=none; v=DMARC1",
    "; v=DMARC1; p=none",
    "v=DMARC1, p=none",
    "v=spf1 -all",
  ])("must not be %j", (text) => {
    expect(parseDmarc(text)).toBeUndefined();
  });
});

describe("policies", () => {
  it.each([
    ["v=DMARC1; p=reject", "reject", "reject", "reject"],
    ["v=DMARC1; P=Reject; SP = None", "reject", "none", "none"],
    ["v=DMARC1; p=reject; sp=quarantine", "reject", "quarantine", "quarantine"],
    ["v=DMARC1; p=reject; np=none", "reject", "reject", "none"],
    ["v=DMARC1; np=none; sp=reject; p=quarantine", "quarantine", "reject", "none"],
    ["v=DMARC1; sp=reject", "none", "reject", "reject"],
    ["v=DMARC1", "none", "none", "none"],
    ["v=DMARC1; p=foo; rua=mailto:a@example.com", "none", "none", "none"],
    ["v=DMARC1; p=reject; sp=foo; rua=https://example.com/", "none", "none", "none"],
    ["v=DMARC1; p=reject; np=; rua=mailto:a@example.com", "none", "none", "none"],
    ["v=DMARC1; foo; p=reject; x=1; x=2; n0=1", "reject", "reject", "reject"],
  ])("of %j are %s, %s, %s", (text, p, sp, np) => {
    expect(parse(text).policies).toEqual({ p, sp, np });
  });

  it.each([
    "v=DMARC1; p=foo",
    "v=DMARC1; p=reject; sp=foo; rua=a@example.com",
    "v=DMARC1; p=none; p=reject",
    "v=DMARC1; p=none; pct=1; pct=2",
    "v=DMARC1; v=DMARC1; p=none",
  ])("are ignored by receivers in %j", (text) => {
    expect(parse(text).policies).toBeUndefined();
  });

  it("are one level weaker in test mode", () => {
    expect((["none", "quarantine", "reject"] as const).map((policy) => inTestMode(policy, true))).toEqual([
      "none",
      "none",
      "quarantine",
    ]);
    expect(inTestMode("reject", false)).toBe("reject");
    expect(["y", "Y", "n", "x"].map((t) => parse(`v=DMARC1; t=${t}`).isTesting)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("problems of a record", () => {
  it.each([
    ["v=DMARC1; p=none; sp=none; np=none; adkim=r; aspf=S; fo=0:d:s; psd=u; t=n", []],
    ["v=DMARC1; p=none; unknown=ü; x=; constructor=1", []],
    ["v=DMARC1; p=none; pct=50; rf=afrf; ri=1", []],
    ["v=DMARC1; p=none; adkim=x; aspf=; psd=maybe; t=1", ["value", "value", "value", "value"]],
    ["v=DMARC1; p=none; fo=0:1", ["value"]],
    ["v=DMARC1; p=none; fo=d:d", ["value"]],
    ["v=DMARC1; p=none; fo=1:x", ["value"]],
    ["v=DMARC1; p=none; ruf=nobody", ["value"]],
    ["v=DMARC1; p=none; foo; =x; a-b=1", ["syntax", "syntax", "syntax"]],
    ["V=DMARC1; P=none", ["spelling", "spelling"]],
    ["v=DMARC1; p=none; P=none", ["spelling", "twice"]],
    ["v=DMARC1; p=nonsense", ["policy"]],
  ])("in %j is %j", (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });
});

describe("addresses for reports", () => {
  it.each([
    ["mailto:a@example.com", ["mail a@example.com"]],
    [
      "MAILTO:A@Example.COM!10m , mailto:b@xn--bcher-kva.example",
      ["mail A@example.com", "mail b@xn--bcher-kva.example"],
    ],
    ["mailto:a%2Bb%21@example.com?subject=x", ["mail a+b!@example.com"]],
    ["https://example.com/reports", ["other"]],
    ["a@example.com", ["invalid"]],
    ["mailto: a@example.com", ["invalid"]],
    ["mailto:a@example", ["invalid"]],
    ["mailto:example.com", ["invalid"]],
    ["mailto:a@bücher.example", ["invalid"]],
    ["mailto:%ZZ@example.com", ["invalid"]],
    ["mailto:a@example.com,,", ["mail a@example.com", "invalid", "invalid"]],
    ["", ["invalid"]],
  ])("are read from %j", (value, expected) => {
    const found = parseReportUris(value).map((uri) =>
      uri.kind === "mail" ? `mail ${uri.address}` : uri.kind,
    );
    expect(found).toEqual(expected);
  });

  it("are written so that the same address is read again", () => {
    for (const address of ["a@example.com", "a!b+c@example.com", "a;b,c@example.com", '"a b"@example.com']) {
      const uri = mailtoUri(address);
      expect(uri).not.toMatch(/[;,! "]/);
      const [found] = parseReportUris(uri);
      if (found?.kind === "mail") expect(found.address).toBe(address);
    }
  });
});

const name = fc.oneof(
  fc.constantFrom("p", "sp", "np", "adkim", "aspf", "fo", "rua", "ruf", "psd", "t", "pct", "rf", "ri"),
  fc.constantFrom("constructor", "tostring"),
  fc.stringMatching(/^[a-z]{3,8}$/),
);
const value = fc.oneof(
  fc.constantFrom(
    "none",
    "quarantine",
    "reject",
    "r",
    "s",
    "y",
    "n",
    "u",
    "0",
    "1:d",
    "mailto:a@example.com",
  ),
  fc.stringMatching(/^[!-:<-~](?:[ -:<-~]{0,20}[!-:<-~])?$/),
);
const tags = fc.uniqueArray(fc.record({ name, value }), { selector: (tag) => tag.name, maxLength: 8 });

describe("any record", () => {
  it("is read as its original tags and written unchanged", () => {
    fc.assert(
      fc.property(tags, (given) => {
        const record = parse(formatDmarc(given));
        expect(record.tags).toEqual(given);
        expect(formatDmarc(record.tags)).toBe(record.text);
        expect(record.problems.map(({ kind }) => kind)).not.toContain("twice");
      }),
    );
  });

  it("with arbitrary content is read consistently, and unchanged after its faults are removed", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "v=DMARC1",
        ";",
        " ",
        "=",
        "p=reject",
        "sp=none",
        "p=",
        "rua=mailto:a@b.example",
        "\t",
        ",",
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const record = parseDmarc(pieces.join(""));
        expect(parseDmarc(pieces.join(""))).toEqual(record);
        if (record) expect(parseDmarc(formatDmarc(record.tags))?.tags).toEqual(record.tags);
      }),
    );
  });
});
