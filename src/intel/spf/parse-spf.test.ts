import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MacroPart, MacroString } from "./macro-string.ts";
import { parseSpf } from "./parse-spf.ts";
import { formatSpf, type Qualifier, type SpfTerm } from "./spf-term.ts";

const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 300);

const terms = (text: string) => parseSpf(text).terms.map(({ term }) => term);
/** Offset of each fault, and its section of RFC 7208. */
const faults = (text: string) => parseSpf(text).faults.map(({ offset, section }) => [offset, section]);

describe("records that RFC 7208 allows", () => {
  it.each(
    [
      "v=spf1",
      "v=spf1 ",
      "V=SPF1 -ALL",
      "v=spf1   mx    -all  ",
      "v=spf1 a a:example.com a/24 a//64 a/24//64 a:example.com/24//64 a:example.com. -all",
      "v=spf1 mx mx:example.com/0//0 ~mx ?a +a -a",
      "v=spf1 ip4:192.0.2.1 ip4:192.0.2.1/32 ip4:0.0.0.0/0 ip6:2001:db8::1 ip6:::ffff:192.0.2.1/128 ip6:::/0",
      "v=spf1 ptr ptr:example.com ?ptr",
      "v=spf1 exists:%{ir}.%{v}._spf.%{d2} exists:%{l1r-}.example.com exists:%{S}.%{o}.%{h}.%{p} -all",
      "v=spf1 include:%{d} include:a%%b%_c%-.example.com include:%{d}.example-1.com include:example.%- -all",
      "v=spf1 exists:foo/bar.com include:_spf.example.xn--p1ai include:a.1-2 -all",
      "v=spf1 redirect=_spf.example.com",
      "v=spf1 -all exp=explain.%{d} moo= moo=%{i} x-y_z.1=a/b:c",
    ].map((text) => [text]),
  )("%s", (text) => {
    expect(parseSpf(text)).toMatchObject({ faults: [], doubts: [] });
  });

  it("are read in order, with offsets", () => {
    expect(parseSpf("v=spf1  ~a:example.com/24//64 ip6:::/0 -all")).toEqual({
      terms: [
        {
          term: {
            kind: "a",
            qualifier: "~",
            domain: [{ kind: "literal", text: "example.com" }],
            ip4Bits: 24,
            ip6Bits: 64,
          },
          text: "~a:example.com/24//64",
          offset: 8,
        },
        { term: { kind: "ip6", qualifier: "+", network: "::", bits: 0 }, text: "ip6:::/0", offset: 30 },
        { term: { kind: "all", qualifier: "-" }, text: "-all", offset: 39 },
      ],
      faults: [],
      doubts: [],
    });
  });

  it("with an unlikely meaning are reported as a doubt", () => {
    const doubts = (text: string) => parseSpf(text).doubts.map(({ text: word, section }) => [word, section]);
    expect(doubts("v=spf1 ip4=192.0.2.1 include=example.com moo=x -all")).toEqual([
      ["ip4=192.0.2.1", "6"],
      ["include=example.com", "6"],
    ]);
    expect(doubts(`v=spf1 a:a..example.com include:${"a".repeat(64)}.example.com -all`)).toEqual([
      ["a:a..example.com", "4.8"],
      [`include:${"a".repeat(64)}.example.com`, "4.8"],
    ]);
  });
});

describe("faults by RFC 7208 are reported with their offset", () => {
  it.each<[string, [number, string][]]>([
    ["v=spf10 -all", [[0, "4.5"]]],
    [" v=spf1 -all", [[0, "4.5"]]],
    ["v=spf1 foo -all", [[7, "4.6.1"]]],
    ["v=spf1 -foo:x -all", [[8, "4.6.1"]]],
    ["v=spf1 ipv4:192.0.2.1", [[7, "4.6.1"]]],
    ["v=spf1 , -all", [[7, "4.6.1"]]],
    ["v=spf1\t-all", [[0, "4.5"]]],
    ["v=spf1 a\tmx -all", [[7, "4.6.1"]]],
    ["v=spf1 -all:x", [[11, "5.1"]]],
    ["v=spf1 all/8", [[10, "5.1"]]],
    ["v=spf1 include", [[14, "5.2"]]],
    ["v=spf1 include:", [[15, "7.1"]]],
    ["v=spf1 include:localhost", [[15, "7.1"]]],
    ["v=spf1 include:example.com/24", [[15, "7.1"]]],
    ["v=spf1 include:example.com,-all", [[15, "7.1"]]],
    ["v=spf1 exists", [[13, "5.7"]]],
    ["v=spf1 a:192.0.2.1", [[9, "7.1"]]],
    ["v=spf1 a: -all", [[9, "7.1"]]],
    ["v=spf1 a:/24", [[9, "7.1"]]],
    ["v=spf1 a/ -all", [[8, "5.6"]]],
    ["v=spf1 a/33", [[8, "5.6"]]],
    ["v=spf1 a/024", [[8, "5.6"]]],
    ["v=spf1 a//129", [[8, "5.6"]]],
    ["v=spf1 a:example.com/33", [[20, "5.6"]]],
    ["v=spf1 a:example.com:80", [[9, "7.1"]]],
    ["v=spf1 mx/24/64", [[9, "5.6"]]],
    ["v=spf1 ptr/24", [[10, "5.5"]]],
    ["v=spf1 ip4", [[10, "5.6"]]],
    ["v=spf1 ip4:192.0.2", [[11, "5.6"]]],
    ["v=spf1 ip4:192.0.2.01", [[11, "5.6"]]],
    ["v=spf1 ip4:192.0.2.256", [[11, "5.6"]]],
    ["v=spf1 ip4:2001:db8::1", [[11, "5.6"]]],
    ["v=spf1 ip4:192.0.2.0/33", [[20, "5.6"]]],
    ["v=spf1 ip4:192.0.2.0/", [[20, "5.6"]]],
    ["v=spf1 ip4:192.0.2.0/024", [[20, "5.6"]]],
    ["v=spf1 ip4:192.0.2.0/24/24", [[20, "5.6"]]],
    ["v=spf1 ip6:192.0.2.1", [[11, "5.6"]]],
    ["v=spf1 ip6:fe80::1%eth0", [[11, "5.6"]]],
    ["v=spf1 ip6:2001:db8::/129", [[21, "5.6"]]],
    ["v=spf1 redirect=", [[16, "7.1"]]],
    ["v=spf1 redirect:example.com", [[7, "4.6.1"]]],
    ["v=spf1 -redirect=example.com", [[8, "4.6.1"]]],
    ["v=spf1 exp=a.example exp=b.example -all", [[21, "6"]]],
    ["v=spf1 redirect=a.example REDIRECT=b.example", [[26, "6"]]],
    ["v=spf1 exists:%{x}.example.com", [[16, "7.2"]]],
    ["v=spf1 exists:%{t}.example.com", [[16, "7.2"]]],
    ["v=spf1 exists:%{d0}.example.com", [[16, "7.3"]]],
    ["v=spf1 exists:%{dr2}.example.com", [[14, "7.1"]]],
    ["v=spf1 exists:%{d.example.com", [[14, "7.1"]]],
    ["v=spf1 exists:%{}.example.com", [[14, "7.1"]]],
    ["v=spf1 exists:a%.example.com", [[15, "7.1"]]],
    ["v=spf1 exists:%{d}com", [[14, "7.1"]]],
    ["v=spf1 include:_spf.bücher.example -all", [[21, "7.1"]]],
    ["v=spf1 moo=%{z} -all", [[13, "7.2"]]],
    [
      "v=spf1 foo a/33 -all",
      [
        [7, "4.6.1"],
        [12, "5.6"],
      ],
    ],
  ])("%s", (text, positions) => {
    expect(faults(text)).toEqual(positions);
  });

  it("do not prevent reading the rest", () => {
    expect(terms("v=spf1 foo mx -all").map(({ kind }) => kind)).toEqual(["mx", "all"]);
  });
});

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9-]{0,8}[a-z0-9])?$/);
const macro: fc.Arbitrary<MacroPart> = fc.oneof(
  fc.constantFrom("%%", "%_", "%-").map((text) => ({ kind: "escape", text }) as const),
  fc.record({
    kind: fc.constant("macro" as const),
    letter: fc.constantFrom(..."slodiphvSLODIPHV"),
    digits: fc.constantFrom("", "1", "2", "007", "128"),
    isReversed: fc.boolean(),
    delimiters: fc.constantFrom("", "-", ".", "+,/_="),
  }),
);
const literal = (text: string): MacroPart => ({ kind: "literal", text });
const end = label.map((name) => literal(`.${name}.example`));
const spec: fc.Arbitrary<MacroString> = fc.oneof(
  label.map((name) => [literal(`${name}.example`)]),
  fc
    .tuple(fc.array(macro, { minLength: 1, maxLength: 3 }), fc.option(end))
    .map(([parts, last]) => [...parts, ...(last ? [last] : [])]),
);
const qualifier = fc.constantFrom<Qualifier>("+", "-", "~", "?");
const optional = <T>(value: fc.Arbitrary<T>, key: string) =>
  fc.option(value).map((one) => (one === null ? {} : { [key]: one }));
const bits = (most: number, key: string) => optional(fc.integer({ min: 0, max: most }), key);
const parts = (...arbitraries: fc.Arbitrary<object>[]) =>
  fc.tuple(...arbitraries).map((all) => Object.assign({}, ...all) as SpfTerm);
const kinds = (...names: string[]) => fc.constantFrom(...names).map((kind) => ({ kind }));
const by = (value: fc.Arbitrary<unknown>, key: string) => value.map((one) => ({ [key]: one }));
const mechanism: fc.Arbitrary<SpfTerm> = fc.oneof(
  parts(kinds("all"), by(qualifier, "qualifier")),
  parts(kinds("include", "exists"), by(qualifier, "qualifier"), by(spec, "domain")),
  parts(
    kinds("a", "mx"),
    by(qualifier, "qualifier"),
    optional(spec, "domain"),
    bits(32, "ip4Bits"),
    bits(128, "ip6Bits"),
  ),
  parts(kinds("ptr"), by(qualifier, "qualifier"), optional(spec, "domain")),
  parts(kinds("ip4"), by(qualifier, "qualifier"), by(fc.ipV4(), "network"), bits(32, "bits")),
  parts(kinds("ip6"), by(qualifier, "qualifier"), by(fc.ipV6(), "network"), bits(128, "bits")),
  parts(
    kinds("unknown"),
    by(
      label.map((name) => `x${name}`),
      "name",
    ),
    by(fc.oneof(spec, fc.constant([])), "value"),
  ),
);
const modifiers = fc
  .tuple(optional(spec, "redirect"), optional(spec, "exp"))
  .map((found) =>
    Object.entries(Object.assign({}, ...found)).map(([kind, domain]) => ({ kind, domain }) as SpfTerm),
  );

describe("a record of any terms", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(fc.array(mechanism, { maxLength: 8 }), modifiers, (mechanisms, others) => {
        const all = [...mechanisms, ...others];
        const text = formatSpf(all);
        expect(parseSpf(text).faults).toEqual([]);
        expect(terms(text)).toEqual(all);
        expect(formatSpf(terms(text))).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });

  it("or any other text is read without an exception, and each fault has an offset within the text", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[-+~?]?(a|mx|ip4|include|exists|redirect)[:=/%{}a-z0-9.-]{0,20}$/),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = ["v=spf1", ...words].join(" ");
        for (const { offset } of parseSpf(text).faults) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("of 64 KB takes linear time", () => {
    for (const text of ["a", "/1", "%{d}", ".", "a.", "1-"])
      parseSpf(
        `v=spf1 a:x.${text.repeat(65_000 / text.length)}! include:.${text.repeat(65_000 / text.length)}!`,
      );
  });
});

it("reads a record of 8,192 characters, and nothing of a longer one", () => {
  const record = `v=spf1${" a".repeat(4_093)}`;
  expect(parseSpf(record).terms).toHaveLength(4_093);
  expect(parseSpf(`${record} `)).toMatchObject({ terms: [], faults: [{ offset: 0, section: "3.4" }] });
});
