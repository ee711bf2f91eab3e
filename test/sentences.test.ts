import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sentences, sentenceWords } from "../contracts/common/sentences/sentences.ts";
import { scoreCaps } from "../src/dashboard/texts/de/server-checks.ts";
import { caps } from "../src/intel/score/caps.ts";
import { NO_PHRASE, phrase, phrases } from "../src/shared/phrase.ts";
import { englishOf } from "./harness/text-parts.ts";

const codes = Object.keys(sentences);
const texts: Readonly<Record<string, string>> = sentences;

/** Sources that say the sentences. */
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("dashboard/"))
  .map((file) => readFileSync(`src/${file}`, "utf8"))
  .join("\n");

describe("the sentences of results and reasons", () => {
  it("are refused by the compiler unless the catalog has the code with its params", () => {
    // @ts-expect-error a code that the catalog does not have
    void (() => phrase("rule.unknown"));
    // @ts-expect-error a code without its params
    void (() => phrase("rule.others"));
    // @ts-expect-error a param that the text does not have
    void (() => phrase("rule.none", { domain: "example.org" }));
    // @ts-expect-error a param of another type
    void (() => phrase("rule.only_other", { domain: true }));
    expect(phrase("rule.none").parts).toEqual([{ code: "rule.none" }]);
  });

  it("are in use, each of them", () => {
    const found = sources.matchAll(/`([a-z_]+\.[a-z_]*\$\{[\w.]+\}[a-z_]*|\$\{\w+\}\.[a-z_]+)`/g);
    const templates = [...found].map(([, template = ""]) => {
      const [area = "", name = ""] = template.replace(/\$\{[\w.]+\}/g, "\\w+").split(".");
      return new RegExp(`^${area}\\.${name}$`);
    });
    expect(templates.length).toBeGreaterThan(5);
    const unused = codes.filter(
      (code) => !sources.includes(`"${code}"`) && !templates.some((template) => template.test(code)),
    );
    expect(unused).toEqual([]);
  });

  it("have words for their params", () => {
    const tables = codes.flatMap((code) => [...(texts[code] ?? "").matchAll(/\{\w+:(\w+)\}/g)]);
    for (const [, table = ""] of tables) expect(sentenceWords).toHaveProperty([table]);
  });

  it("are filled with their params", () => {
    expect(phrase("rule.others", { count: 3, domain: "example.org" })).toEqual({
      text: "None of the 3 rules of the policy names example.org. The policy's own transports are used.",
      parts: [{ code: "rule.others", params: { count: 3, domain: "example.org" } }],
    });
    const entry = { whom: "domain", reason: "hard_bounce", since: "2030-01-01T00:00:00.000Z" };
    expect(phrase("suppression.listed_policy_detail", { ...entry, policy: "news", detail: "550" }).text).toBe(
      "the domain of the recipient is on the suppression list: hard bounce, since 2030-01-01T00:00:00.000Z, for mail of the policy news (550)",
    );
    expect(phrase("source.addresses", { addresses: ["192.0.2.1", "2001:db8::1"] }).text).toMatch(
      /^Connections are made from 192\.0\.2\.1 and 2001:db8::1\. /,
    );
    expect(phrase("host.dane", { asked_by: ["policy", "dane"] }).text).toMatch(
      /by the policy and the domain by DANE\.$/,
    );
  });

  it("show a value without words as it is, and the cause only in one form", () => {
    expect(phrase("tracking.on", { kinds: ["constructor"] }).text).toContain("for constructor,");
    expect(phrase("dns.not_queried", { detail: "{name} {cause:translated}", cause: "timeout" }).text).toBe(
      "The domain's own name servers could not be queried ({name} {cause:translated}).",
    );
  });

  it("are joined by spaces, and have no parts if one of them has none", () => {
    const ownership = phrase("domain.ownership");
    const missing = phrase("txt.missing", { name: "a.example.org" });
    const joined = phrases(ownership, undefined, false, NO_PHRASE, missing);
    expect(joined.text).toBe("The proof of ownership: There is no TXT record with the name a.example.org.");
    expect(joined.parts.map(({ code }) => code)).toEqual(["domain.ownership", "txt.missing"]);
    expect(englishOf(joined.parts)).toBe(joined.text);
    expect(phrases(ownership, { text: "Of a former release.", parts: [] })).toEqual({
      text: "The proof of ownership: Of a former release.",
      parts: [],
    });
    expect(phrases()).toEqual(NO_PHRASE);
  });
});

it("says in German why a score is limited, for each limit", () => {
  expect(Object.keys(scoreCaps)).toEqual(caps.map(({ id }) => id));
});
