import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuSecondsOf, HOSTILE_INPUT_CPU_SECONDS } from "../../../test/harness/cpu-seconds.ts";
import { addressKey } from "./address-key.ts";
import {
  domainOf,
  formatMailbox,
  needsSmtpUtf8,
  parseAddress,
  parseMailbox,
  sameAddress,
} from "./addresses.ts";

const LONG_LOCAL = "a".repeat(64);
const LABEL = "d".repeat(63);

describe("parseMailbox accepts", () => {
  it.each([
    ["a@b.c", { address: "a@b.c" }],
    ["First.Last+tag@Mail.Example.COM", { address: "First.Last+tag@mail.example.com" }],
    ["Name <a@b.c>", { address: "a@b.c", displayName: "Name" }],
    ["John Q. Public <a@b.c>", { address: "a@b.c", displayName: "John Q. Public" }],
    ["O'Neil & Söhne <a@b.c>", { address: "a@b.c", displayName: "O'Neil & Söhne" }],
    ['"Quoted, Name" <a@b.c>', { address: "a@b.c", displayName: "Quoted, Name" }],
    ['"a \\"b\\" \\\\ c"<a@b.c>', { address: "a@b.c", displayName: 'a "b" \\ c' }],
    ["<a@b.c>", { address: "a@b.c" }],
    ['"" <a@b.c>', { address: "a@b.c" }],
    ['"john doe"@example.com', { address: '"john doe"@example.com' }],
    ['"a@b"@example.com', { address: '"a@b"@example.com' }],
    ['X <"a<b>@c"@example.com>', { address: '"a<b>@c"@example.com', displayName: "X" }],
    ['"plain"@example.com', { address: "plain@example.com" }],
    ["用户@例え.jp", { address: "用户@xn--r8jz45g.jp" }],
    ["a@BÜCHER.example", { address: "a@xn--bcher-kva.example" }],
    ["a@xn--bcher-kva.example", { address: "a@xn--bcher-kva.example" }],
    ["e\u0301@b.c", { address: "é@b.c" }],
    ["👩‍👩‍👧 <a@b.c>", { address: "a@b.c", displayName: "👩‍👩‍👧" }],
    [`${LONG_LOCAL}@b.c`, { address: `${LONG_LOCAL}@b.c` }],
    [`a@${LABEL}.c`, { address: `a@${LABEL}.c` }],
  ])("%s", (input, mailbox) => {
    expect(parseMailbox(input)).toEqual({ ok: true, mailbox });
  });
});

describe("parseMailbox refuses", () => {
  it.each([
    ["", "address.empty"],
    [" a@b.c", "address.whitespace"],
    ["a@b.c ", "address.whitespace"],
    ["a", "address.missing_at"],
    ["Name a@b.c", "address.local_part_invalid"],
    ["@b.c", "address.missing_local_part"],
    ['""@b.c', "address.missing_local_part"],
    ["a@", "address.missing_domain"],
    ["<>", "address.missing_at"],
    ["Name <a@>", "address.missing_domain"],
    [".a@b.c", "address.local_part_invalid"],
    ["a.@b.c", "address.local_part_invalid"],
    ["a..b@b.c", "address.local_part_invalid"],
    ["a b@b.c", "address.local_part_invalid"],
    ["a\u00a0b@b.c", "address.local_part_invalid"],
    ["a\u200bb@b.c", "address.local_part_invalid"],
    [`${LONG_LOCAL}a@b.c`, "address.local_part_too_long"],
    [`${"é".repeat(33)}@b.c`, "address.local_part_too_long"],
    ["a@b", "address.domain_single_label"],
    ["root@localhost", "address.domain_single_label"],
    ["a@.b.c", "address.domain_invalid"],
    ["a@b.c.", "address.domain_invalid"],
    ["a@b..c", "address.domain_invalid"],
    ["a@-b.c", "address.domain_invalid"],
    ["a@b-.c", "address.domain_invalid"],
    ["a@b_c.d", "address.domain_invalid"],
    ["a@b c.d", "address.domain_invalid"],
    ["a@b%2ec.d", "address.domain_invalid"],
    ["a@b.c/d", "address.domain_invalid"],
    ["a@b@c.d", "address.domain_invalid"],
    ["a@ab--c.d", "address.domain_invalid"],
    ["a@xn--a.d", "address.domain_invalid"],
    ["a@exam\u00adple.com", "address.domain_invalid"],
    ["a@℀.com", "address.domain_invalid"],
    ["a@192.0.2.1", "address.domain_invalid"],
    ["a@example.0x7f", "address.domain_invalid"],
    ["a@１.２.３.４", "address.domain_invalid"],
    ["a@[192.0.2.1]", "address.domain_literal"],
    [`a@${LABEL}d.c`, "address.domain_too_long"],
    [`a@${`${LABEL}.`.repeat(4)}com`, "address.domain_too_long"],
    [`${LONG_LOCAL}@${LABEL}.${LABEL}.${LABEL}.c`, "address.too_long"],
    ["a@b.c, d@e.f", "address.several"],
    ["a@b.c;d@e.f", "address.several"],
    ["<a@b.c>, <d@e.f>", "address.several"],
    ["Doe, John <a@b.c>", "address.several"],
    ["Team: a@b.c;", "address.group"],
    ["undisclosed-recipients:;", "address.group"],
    ["mailto:ada@example.org", "address.link"],
    ["MAILTO:ada@example.org", "address.link"],
    ["<mailto:ada@example.org>", "address.link"],
    ["Ada <mailto:ada@example.org>", "address.link"],
    ["mailto:Ada <ada@example.org>", "address.link"],
    ["Name :) <a@example.org>", "address.display_name_invalid"],
    ["Re: Ada <a@example.org>", "address.display_name_invalid"],
    [":( <a@example.org>", "address.display_name_invalid"],
    ["Ada (work) <a@example.org>", "address.comment"],
    ["Ada: ada@example.org", "address.local_part_invalid"],
    ["a@b.c (work)", "address.comment"],
    ["(x)a@b.c", "address.comment"],
    ["Name (x) <a@b.c>", "address.comment"],
    ["Name <a@b.c", "address.unbalanced"],
    ["a@b.c>", "address.unbalanced"],
    ["<<a@b.c>>", "address.unbalanced"],
    ['"Name <a@b.c>', "address.unbalanced"],
    ['"Name" x <a@b.c>', "address.unbalanced"],
    ['"a"b@c.d', "address.unbalanced"],
    ["me@x.y <a@b.c>", "address.display_name_invalid"],
    ["=?utf-8?Q?a?= <a@b.c>", "address.display_name_invalid"],
    [`${"n".repeat(321)} <a@b.c>`, "address.display_name_too_long"],
    ["Name\r\nBcc: x@y.z <a@b.c>", "address.control_character"],
    ["a\0@b.c", "address.control_character"],
    ["a\u007f@b.c", "address.control_character"],
    ["a\u2028 <a@b.c>", "address.control_character"],
    ["gpj.\u202eexe <a@b.c>", "address.forbidden_character"],
    ["a\ud800 <a@b.c>", "address.forbidden_character"],
  ])("%j", (input, code) => {
    const result = parseMailbox(input);
    expect(result.ok ? result : result.code).toBe(code);
    expect(result.ok ? "" : result.message.text).toMatch(/^[A-Z].*\.$/);
  });
});

it("accepts no display name for a bare address", () => {
  expect(parseAddress("a@b.c")).toEqual({ ok: true, address: "a@b.c" });
  expect(parseAddress("Name <a@b.c>").ok).toBe(false);
});

it("reads a megabyte of hostile input in linear time", () => {
  const pieces = ['"', "<", "(", "@", '\\"', "<(\"'", "a@", "[", "=?a?q?"];
  const took = cpuSecondsOf(() => {
    for (const piece of pieces) expect(parseMailbox(piece.repeat(1_000_000 / piece.length)).ok).toBe(false);
    for (const piece of pieces)
      for (let i = 0; i < 100; i++) parseMailbox(piece.repeat(1_900 / piece.length));
  });
  expect(took).toBeLessThan(HOSTILE_INPUT_CPU_SECONDS);
});

it("reads back every mailbox that it writes", () => {
  const domain = fc.constantFrom("example.com", "xn--bcher-kva.example", "a-b.c1.d");
  const local = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~é-]{1,20}(?:\.[A-Za-z0-9é]{1,9})?$/);
  const quoted = fc.stringMatching(/^[ -~]{1,20}$/).map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`);
  fc.assert(
    fc.property(
      fc.oneof(local, quoted),
      domain,
      fc.string({ unit: "grapheme", maxLength: 30 }),
      (part, at, name) => {
        const first = parseMailbox(`"${name.replace(/["\\]/g, "\\$&")}" <${part}@${at}>`);
        fc.pre(first.ok);
        expect(parseMailbox(formatMailbox(first.mailbox))).toEqual(first);
        expect(parseAddress(first.mailbox.address)).toEqual({ ok: true, address: first.mailbox.address });
        expect(domainOf(first.mailbox.address)).toBe(at);
      },
    ),
  );
});

it("never throws, and accepts nothing that could add a line to a header", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom("", "@b.c", " <a@b.c>"),
      (text, end) => {
        const result = parseMailbox(text + end);
        if (result.ok) expect(formatMailbox(result.mailbox)).not.toMatch(/\p{Cc}|\u2028|\u2029/u);
      },
    ),
    { numRuns: 2_000 },
  );
});

it("compares addresses as mailbox providers do", () => {
  expect(sameAddress("Shop@Example.com", "shop@example.COM")).toBe(true);
  expect(sameAddress("e\u0301@b.c", "É@b.c")).toBe(true);
  expect(sameAddress("shop@example.com", "shop@example.org")).toBe(false);
  expect(addressKey("A.B+c@X.Y")).toBe("a.b+c@x.y");
});

it("finds the domain behind the last @", () => {
  expect(domainOf('"a@evil.example"@good.example')).toBe("good.example");
});

it("needs SMTPUTF8 only if the local part does", () => {
  expect(needsSmtpUtf8("é@b.c")).toBe(true);
  expect(needsSmtpUtf8("a@xn--bcher-kva.example")).toBe(false);
});
