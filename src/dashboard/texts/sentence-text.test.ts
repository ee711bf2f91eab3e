import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { paramNamesIn } from "../../../contracts/common/fault-texts/fault-texts.ts";
import { sentences } from "../../../contracts/common/sentences/sentences.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { reasonText, sentenceText, wordsOf } from "./sentence-text.ts";
import { setTexts } from "./texts.ts";

const english: Readonly<Record<string, string>> = sentences;
const german: Readonly<Record<string, string>> = de.sentences.ofCodes;

describe("the German sentences of the API", () => {
  it("are complete", () => {
    expect(Object.keys(english).filter((code) => !Object.hasOwn(german, code))).toEqual([]);
  });

  it("belong to codes of the API, and use only their params and words that exist", () => {
    for (const [code, text] of Object.entries(german)) {
      expect(english).toHaveProperty([code]);
      const names: readonly string[] = paramNamesIn(english[code] ?? "");
      for (const name of paramNamesIn(text)) expect(names).toContain(name);
      for (const [, table = ""] of text.matchAll(/\{\w+:(\w+)\}/g))
        expect(de.sentences.words).toHaveProperty([table]);
    }
  });

  it("end as the English ones: a sentence, or the beginning of one", () => {
    const endOf = (text: string) => /[.:]$/.exec(text)?.[0];
    const different = Object.keys(english).filter(
      (code) => endOf(english[code] ?? "") !== endOf(german[code] ?? ""),
    );
    expect(different).toEqual([]);
  });
});

describe("the text of parts", () => {
  const parts = [
    { code: "domain.ownership" },
    { code: "txt.missing", params: { name: "_hermod.example.org" } },
  ];
  beforeEach(() => setTexts(de));
  afterEach(() => setTexts(en));

  it("is in the language of the page", () => {
    expect(sentenceText(parts, "English.")).toBe(
      "Der Nachweis der Inhaberschaft: Es gibt keinen TXT-Eintrag mit dem Namen _hermod.example.org.",
    );
    setTexts(en);
    expect(sentenceText(parts, "English.")).toBe("English.");
  });

  it("has the words of its params, and joins lists", () => {
    const cause = { detail: "a.test TXT: no answer in time", cause: "timeout" };
    expect(sentenceText([{ code: "dns.not_queried", params: cause }], "English.")).toBe(
      "Die eigenen Nameserver der Domain ließen sich nicht abfragen (keine Antwort in der vorgesehenen Zeit).",
    );
    const tracked = { code: "tracking.on", params: { kinds: ["opens", "clicks", "constructor"] } };
    expect(sentenceText([tracked], "English.")).toMatch(
      /^Im HTML werden Öffnungen und Klicks und constructor /,
    );
    const addresses = { code: "source.addresses", params: { addresses: ["192.0.2.1", "2001:db8::1"] } };
    expect(sentenceText([addresses], "English.")).toContain("192.0.2.1 und 2001:db8::1");
  });

  it("shows a reason with its words, and an unknown one as it is", () => {
    const failed = (reason: string) =>
      sentenceText([{ code: "mx.lookup_failed", params: { reason } }], "English.").replace(
        /^.*gescheitert: |\.$/g,
        "",
      );
    expect(failed("budget")).toBe("zu viele Abfragen wären nötig");
    expect(failed("a.test MX: no answer in time from 192.0.2.1:53")).toBe(
      "a.test MX: keine Antwort in der vorgesehenen Zeit (von 192.0.2.1:53)",
    );
    expect(failed("192.0.2.1: connect ECONNREFUSED 192.0.2.1:25; 2001:db8::1: 554 Go away from here")).toBe(
      "192.0.2.1: Verbindung abgelehnt (192.0.2.1:25); 2001:db8::1: 554 Go away from here",
    );
    expect(failed('extended error 7, a signature has expired, "old"; extended error 99')).toBe(
      "erweiterter Fehler 7, eine Signatur ist abgelaufen, „old“; erweiterter Fehler 99",
    );
    expect(failed("the policy's server answered 404")).toBe(
      "der Server der Richtlinie hat mit 404 geantwortet",
    );
    expect(["budget", "554 Go away"].map((reason) => wordsOf("lookup_failure", reason))).toEqual([
      "zu viele Abfragen wären nötig",
      undefined,
    ]);
    const meanings =
      "127.0.0.10: PBL: the provider states that the address sends no mail directly, 127.0.0.4: odd";
    expect(sentenceText([{ code: "list.listed", params: { subject: "192.0.2.1", meanings } }], "")).toBe(
      "192.0.2.1 steht auf der Liste (127.0.0.10: PBL: laut Anbieter sendet die Adresse keine E-Mails direkt, 127.0.0.4: odd);",
    );
  });

  it("is the server's text without parts, for a code that is not known, and with a param missing", () => {
    const said = "The server's text.";
    for (const odd of [
      undefined,
      [],
      [...parts, { code: "a.later_code" }],
      [{ code: "constructor" }],
      [{ code: "txt.missing" }],
      [{ code: "txt.missing", params: { other: "a.test" } }],
      [{ code: "txt.missing", params: { name: {} } }],
      [{ code: "txt.missing", params: { name: ["a.test", 1] } }],
    ])
      expect(sentenceText(odd, said)).toBe(said);
    expect(reasonText({ reason: said })).toBe(said);
    expect(reasonText({ reason: said, reason_parts: [{ code: "rule.none" }] })).toMatch(/^Die Richtlinie /);
  });
});
