import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FilteredMessage, meetsFilter } from "./filter.ts";
import { readQuery } from "./query.ts";

const ID = "msg_01k9z4c3r8h2v6y0n5t7w1x3q9";
const TRACE = "sx_01k9z4c3r8h2v6y0n5t7w1x3q9";

const message: FilteredMessage = {
  _id: ID,
  headerMessageId: `<${ID}@example.org>`,
  recipient: "ada.lovelace@example.com",
  recipientDomain: "example.com",
  from: "shop@example.org",
  subject: "Order 17 has shipped",
  tags: ["spring sale", "a:b"],
  metadata: { order: "17 = x", "my name": "Ada" },
  state: "delivered",
  policy: "default",
  keyId: "key_1",
  template: { name: "receipt" },
  traceId: TRACE,
};

const finds = (query: string, changes: Partial<FilteredMessage> = {}): boolean => {
  const { conditions, faults } = readQuery(query);
  expect(faults).toEqual([]);
  return meetsFilter({ ...message, ...changes }, { query: conditions });
};

describe("a query", () => {
  it.each([
    "order",
    "ADA shop shipped",
    '"shipped order"',
    "ada.lovelace@example.com",
    "SHOP@example.org",
    "@example.org",
    `${ID}`,
    `${TRACE} order`,
    `<${ID}@example.org>`,
    "to:ada from:@example.org",
    "TO:Ada.Lovelace@example.com",
    'subject:"shipped 17"',
    'tag:"spring sale" tag:"a:b"',
    "tag:a:b",
    "state:bounced state:delivered",
    "policy:default key:key_1 template:receipt",
    'meta:order="17 = x"',
    'meta:"my name=Ada"',
    '"17: & shipped"',
    "order & shipped -",
    "17:",
  ])("finds a message by its properties (%s)", (query) => {
    expect(finds(query)).toBe(true);
  });

  it.each([
    "order lost",
    "alan@example.com",
    "@example.net",
    "msg_01k9z4c3r8h2v6y0n5t7w1x3qa",
    "<17@example.org>",
    "to:shop",
    "from:ada",
    "subject:ada",
    "tag:spring",
    "state:bounced state:queued",
    "policy:default policy:bulk key:key_2",
    "meta:order=17",
    "meta:constructor=x",
  ])("does not find a message by other properties (%s)", (query) => {
    expect(finds(query)).toBe(false);
  });

  it("also finds an address by its words in a subject", () => {
    expect(finds("bob@example.net", { subject: "Mail for bob at example net" })).toBe(true);
    expect(finds("bob@example.net", { subject: "Mail for bob at example" })).toBe(false);
    expect(finds("Re:", { subject: "Re: order" })).toBe(true);
  });

  it.each([
    ["form:ada", 0, 8, "`form:` is not an operator"],
    ["order  state:gone x", 7, 10, "`state:` must be one of"],
    ["subject: order", 0, 8, "`subject:` needs a value"],
    ['order tag:"spring', 10, 7, "The quotation mark is not closed"],
    ["order meta:17", 6, 7, "`meta:` needs a name and a value"],
    ["to:-", 0, 4, "`to:` needs an address"],
    ["from:!", 0, 6, "`from:` needs an address"],
    ["subject:!", 0, 9, "`subject:` needs a letter or digit"],
    [" ! ", 0, 3, "The query needs a letter or digit"],
    ["https://example.com/", 0, 20, "`https:` is not an operator"],
  ])("names the problem and its position (%s)", (query, offset, length, message) => {
    const { faults } = readQuery(query);
    expect(faults).toMatchObject([{ offset, length, message: { params: { offset, length } } }]);
    expect(String(faults[0]?.message)).toContain(message);
  });

  it("names all faults, and searches for at most 64 terms", () => {
    expect(readQuery("a:b c:d").faults.map(({ offset }) => offset)).toEqual([0, 4]);
    const words = Array.from({ length: 22 }, (_, index) => `w${index}`);
    expect(readQuery(words.slice(0, 21).join(" ")).faults).toEqual([]);
    const [fault] = readQuery(words.join(" ")).faults;
    expect(fault?.offset).toBe(words.slice(0, 21).join(" ").length + 1);
    const characters = Array.from({ length: 30 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    expect(readQuery(characters.join("")).faults).toHaveLength(1);
    const many = Array.from({ length: 65 }, (_, index) => `w${index}`).join(" ");
    expect(readQuery(`to:"${many}"`).faults).toHaveLength(1);
  });

  it("never throws, and its faults are within it", () => {
    const character = fc.constantFrom(...'to:subjectag "\\=<>@.a1é文-&'.split(""));
    fc.assert(
      fc.property(fc.array(character, { maxLength: 60 }), (characters) => {
        const text = characters.join("");
        for (const { offset, length } of readQuery(text).faults) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });

  it("finds the same as a plain evaluation of its parts, regardless of their notation", () => {
    fc.assert(
      fc.property(anyMessage, fc.array(part, { minLength: 1, maxLength: 5 }), (candidate, parts) => {
        const { conditions, faults } = readQuery(parts.map(({ text }) => text).join("  "));
        expect(faults).toEqual([]);
        expect(meetsFilter(candidate, { query: conditions })).toBe(plainly(candidate, parts));
      }),
      { numRuns: 2_000 },
    );
  });
});

interface Part {
  readonly operator: string;
  readonly value: string;
  readonly text: string;
}

const words = ["ada", "grace", "order", "shipped", "example", "17"];
const addresses = ["ada@example.com", "grace.order@mail.example.org", "shop@ada.example"];
const values: Readonly<Record<string, readonly string[]>> = {
  "": [...words, ...addresses, "@example.com", "ada order", "grace.order"],
  to: [...addresses, "@mail.example.org", "ada", "grace order"],
  from: [...addresses, "@ada.example", "shop"],
  subject: ["order", "17 shipped"],
  tag: ["spring sale", "a"],
  state: ["bounced", "queued", "delivered"],
  policy: ["default", "bulk mail"],
  key: ["key_1", "key_2"],
  template: ["welcome", "receipt"],
  meta: ["order=17", "order=1 7", "name=x=y"],
};

const part: fc.Arbitrary<Part> = fc
  .constantFrom(
    ...Object.entries(values).flatMap(([operator, all]) => all.map((value) => ({ operator, value }))),
  )
  .chain(({ operator, value }) =>
    fc.boolean().map((isQuoted) => {
      const written = isQuoted || value.includes(" ") ? `"${value}"` : value;
      return { operator, value, text: operator === "" ? written : `${operator}:${written}` };
    }),
  );

const anyMessage: fc.Arbitrary<FilteredMessage> = fc.record({
  _id: fc.constant(ID),
  headerMessageId: fc.constant("<1@example.com>"),
  traceId: fc.constant(TRACE),
  recipient: fc.constantFrom(...addresses),
  recipientDomain: fc.constant("example.com"),
  from: fc.constantFrom(...addresses),
  subject: fc.subarray(words).map((some) => some.join(" ")),
  tags: fc.subarray(["spring sale", "a", "b"]),
  metadata: fc.constantFrom({}, { order: "17" }, { order: "1 7", name: "x=y" }),
  state: fc.constantFrom("bounced", "queued", "delivered", "deferred"),
  policy: fc.constantFrom("default", "bulk mail"),
  keyId: fc.constantFrom("key_1", ""),
  template: fc.constantFrom({ name: "welcome" }, { name: "other" }),
});

/** A simple evaluation over a list. */
function plainly(candidate: FilteredMessage, parts: readonly Part[]): boolean {
  const alternatives = ["state", "policy", "key", "template"];
  return parts.every(({ operator, value }) => {
    if (!alternatives.includes(operator)) return meets(candidate, operator, value);
    return parts.some((other) => other.operator === operator && meets(candidate, operator, other.value));
  });
}

function meets(candidate: FilteredMessage, operator: string, value: string): boolean {
  const split = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/);
  const ofAddress = (address: string) => split(address.slice(0, address.lastIndexOf(".")));
  const hasAddress = (address: string) =>
    value.startsWith("@") ? address.endsWith(value) : value.includes("@") && address === value;
  const all = (text: string[]) => split(value).every((word) => word === "" || text.includes(word));
  switch (operator) {
    case "to":
      return value.includes("@") ? hasAddress(candidate.recipient) : all(ofAddress(candidate.recipient));
    case "from":
      return value.includes("@") ? hasAddress(candidate.from) : all(ofAddress(candidate.from));
    case "subject":
      return all(split(candidate.subject));
    case "tag":
      return candidate.tags?.includes(value) ?? false;
    case "state":
      return candidate.state === value;
    case "policy":
      return candidate.policy === value;
    case "key":
      return candidate.keyId === value;
    case "template":
      return candidate.template?.name === value;
    case "meta":
      return Object.entries(candidate.metadata ?? {}).some(([name, set]) => `${name}=${set}` === value);
  }
  if (value.includes("@")) {
    return hasAddress(candidate.recipient) || hasAddress(candidate.from) || all(split(candidate.subject));
  }
  return all([...ofAddress(candidate.recipient), ...ofAddress(candidate.from), ...split(candidate.subject)]);
}
