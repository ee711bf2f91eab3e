import { describe, expect, it } from "vitest";
import { checkWords } from "../../src/dashboard/texts/de/check-words.ts";
import { kindsOf } from "../../src/intel/blacklists/blacklist.ts";
import { blacklists } from "../../src/intel/blacklists/blacklists.ts";
import { isOpen, openLists } from "../../src/intel/blacklists/open-lists.ts";
import { readAnswer } from "../../src/intel/blacklists/read-answer.ts";

/** Lists that are dead, list everything, are empty, or sell removal. */
const UNWANTED = [
  "sorbs",
  "nixspam",
  "ix.dnsbl.manitu.net",
  "lashback",
  "unsubscore",
  "inps.de",
  "spamcannibal",
  "ahbl",
  "njabl",
  "wpbl",
  "virbl",
  "cyberlogic",
  "emailbasura",
  "burnt-tech",
  "dnsbl-2.uceprotect",
  "dnsbl-3.uceprotect",
];

describe("the table of lists", () => {
  it("has meanings and refusals that pages show in German", () => {
    const hours = /\b\d+ hours/;
    for (const { codes, refusals } of blacklists) {
      const meanings = codes.kind === "any" ? [codes.meaning] : Object.values(codes.meanings);
      for (const meaning of meanings)
        expect(checkWords.listing_meaning).toHaveProperty([meaning.replace(hours, "{hours} hours")]);
      for (const reason of Object.values(refusals)) expect(checkWords.list_failure).toHaveProperty([reason]);
    }
    for (const choice of openLists(blacklists, {}))
      if (!isOpen(choice))
        expect(checkWords.list_failure).toHaveProperty([choice.notConfigured.replace(/https:.*/, "{url}")]);
  });

  it("contains no list that is dead, lists everything or sells removal", () => {
    for (const { id, name, zone } of blacklists) {
      const text = `${id} ${name} ${zone}`.toLowerCase();
      expect(UNWANTED.filter((word) => text.includes(word))).toEqual([]);
    }
  });

  it("queries Spamhaus only with a key, because its public mirrors exclude companies", () => {
    const spamhaus = blacklists.filter(({ zone }) => zone.includes("spamhaus"));
    expect(spamhaus.map(({ id }) => id)).toEqual(["spamhaus_zen", "spamhaus_dbl", "spamhaus_zrd"]);
    for (const { zone } of spamhaus) expect(zone).toMatch(/^<key>\.\w+\.dq\.spamhaus\.net$/);
  });

  it("enables exactly the lists that may be used without a key", () => {
    const on = openLists(blacklists, {}).filter(isOpen);
    expect(on.map(({ list }) => list.id)).toEqual([
      "spamcop",
      "psbl",
      "mailspike",
      "dronebl",
      "uceprotect_1",
    ]);
    expect(blacklists.filter(({ isOnByDefault }) => isOnByDefault).map(({ terms }) => terms.kind)).toEqual(
      on.map(() => "free"),
    );
  });

  it("has unique ids, test entries, HTTPS pages and a budget for each list", () => {
    expect(new Set(blacklists.map(({ id }) => id)).size).toBe(blacklists.length);
    for (const list of blacklists) {
      expect(list.id).toMatch(/^[a-z0-9_]+$/);
      expect(kindsOf(list).length).toBeGreaterThan(0);
      expect(list.delistUrl).toMatch(/^https:\/\//);
      expect(list.terms.url).toMatch(/^https:\/\//);
      expect(list.queriesPerDay).toBeGreaterThanOrEqual(100);
      expect(list.zone.includes("<key>")).toBe(list.terms.kind === "key");
    }
  });

  it("allows the weight 0 for informational lists", () => {
    const informing = blacklists.filter(({ weight }) => weight === 0).map(({ id }) => id);
    expect(informing).toEqual(["dronebl", "uceprotect_1"]);
  });

  it("never interprets 127.0.0.1 or 127.255.255.x as a listing", () => {
    for (const list of blacklists) {
      for (const address of [
        "127.0.0.1",
        "127.255.255.252",
        "127.255.255.254",
        "127.255.255.255",
        "127.255.255.7",
      ]) {
        const answer = { kind: "records", records: [address], ttlSeconds: 60, authenticated: false } as const;
        expect(readAnswer(list, { ...answer, canonicalName: "a.test" }).state).toBe("refused");
      }
    }
  });
});

describe("the operator's list settings", () => {
  const choose = (id: string, settings: Parameters<typeof openLists>[1][string]) => {
    const [choice] = openLists(
      blacklists.filter((list) => list.id === id),
      { [id]: settings },
    );
    if (!choice) throw new Error(`no list ${id}`);
    return choice;
  };

  it("open a list by key, and one by registration", () => {
    expect(isOpen(choose("spamhaus_dbl", { key: "abc123" }))).toBe(true);
    expect(isOpen(choose("barracuda", { isRegistered: true }))).toBe(true);
    expect(choose("barracuda", { isOn: true })).toMatchObject({
      notConfigured: expect.stringContaining("registration"),
    });
    expect(choose("spamhaus_dbl", { isOn: true })).toMatchObject({
      notConfigured: expect.stringContaining("key"),
    });
  });

  it("close a default list, and a list with a budget too small for its tests", () => {
    expect(isOpen(choose("psbl", { isOn: false }))).toBe(false);
    expect(isOpen(choose("psbl", { queriesPerDay: 10 }))).toBe(false);
    expect(isOpen(choose("psbl", { queriesPerDay: Number.NaN }))).toBe(false);
  });

  it("reject a key that would change the zone, without showing it", () => {
    for (const key of ["q9.b", "evil.example.", "q9 b", "q9$&", "-q9", "q9".repeat(32)]) {
      const choice = choose("spamhaus_zen", { key });
      expect(isOpen(choice)).toBe(false);
      expect(JSON.stringify(choice)).not.toContain(JSON.stringify(key).slice(1, -1));
    }
  });
});
