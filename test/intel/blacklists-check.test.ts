import { describe, expect, it } from "vitest";
import type { ListCheck } from "../../src/intel/blacklists/ask-list.ts";
import { blacklists } from "../../src/intel/blacklists/blacklists.ts";
import { catalogueEntryOf, checkBlacklists } from "../../src/intel/blacklists/check-blacklists.ts";
import { afterCheck, type Standing } from "../../src/intel/blacklists/listing.ts";
import { type ListChoice, openLists } from "../../src/intel/blacklists/open-lists.ts";
import type { AnswerState } from "../../src/intel/blacklists/read-answer.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import { openBlacklist } from "../harness/dns-blacklist.ts";
import { withParts } from "../harness/text-parts.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse("2026-11-24T12:00:00Z");
const FIRST = "193.0.14.129";
const SECOND = "193.0.14.130";
const mailspike = openBlacklist("mailspike");

/** The state after these check results, an hour apart, the last one just now. */
function standingAfter(...states: readonly AnswerState[]): Standing | undefined {
  let standing: Standing | undefined;
  states.forEach((state, index) => {
    const at = new Date(NOW_MS - (states.length - 1 - index) * HOUR_MS);
    const name = `129.14.0.193.bl.mailspike.net`;
    const rcode = state === "listed" ? "NOERROR" : state === "clean" ? "NXDOMAIN" : "ERROR";
    const data = state === "listed" ? ["127.0.0.10"] : [];
    const meaning = "the address has the worst reputation";
    const check: ListCheck = {
      state,
      at,
      repeatsUntil: at,
      codes: state === "listed" ? [{ code: "127.0.0.10", meaning }] : [],
      evidence: [{ name, type: "A", rcode, data, at }],
      ...(state === "listed" && { text: "seen sending spam" }),
      ...(rcode === "ERROR" && { reason: `a look that was ${state}` }),
    };
    standing = afterCheck({ listId: "mailspike", subject: FIRST }, standing, check).standing;
  });
  return standing;
}

function check(
  standings: Readonly<Record<string, Standing | undefined>>,
  { addresses = Object.keys(standings), list = mailspike as ListChoice, now = NOW_MS } = {},
): CheckResult {
  const [result] = checkBlacklists({
    domain: "mail.example.co.uk",
    addresses,
    lists: [list],
    standingOf: (listId, subject) => (listId === list.list.id ? standings[subject] : undefined),
    now: new Date(now),
  });
  if (!result) throw new Error("There is no result.");
  return withParts(result);
}

describe("the check of a blacklist", () => {
  it("fails for a listed address, with meaning, start and removal address", () => {
    const result = check({ [FIRST]: standingAfter("listed", "listed"), [SECOND]: standingAfter("clean") });
    expect(result).toMatchObject({ id: "bl.mailspike", status: "fail" });
    expect(result.observed).toBe(
      '193.0.14.129 is listed (127.0.0.10: the address has the worst reputation), and the list states "seen sending spam"; ' +
        "first seen at 2026-11-24 11:00 UTC, last at 2026-11-24 12:00 UTC. " +
        "193.0.14.130 is not listed, as of 2026-11-24 12:00 UTC.",
    );
    expect(result.fix?.text).toBe(
      "Request removal at https://mailspike.io/ip_verify after you have fixed the cause.",
    );
    expect(result.evidence).toMatchObject([{ data: ["127.0.0.10"] }, { rcode: "NXDOMAIN" }]);
  });

  it("passes if and only if all subjects are clean", () => {
    expect(check({ [FIRST]: standingAfter("clean"), [SECOND]: standingAfter("clean") }).status).toBe("pass");
    const others: readonly (readonly [Standing | undefined, string])[] = [
      [standingAfter("error"), "error"],
      [standingAfter("refused"), "not_tested"],
      [standingAfter("unreliable"), "not_tested"],
      [undefined, "not_tested"],
    ];
    for (const [standing, status] of others) {
      const result = check({ [FIRST]: standingAfter("clean"), [SECOND]: standing });
      expect(result.status).toBe(status);
      expect(result.fix).toBeUndefined();
    }
  });

  it("reports the reason if it could not be tested", () => {
    expect(check({ [FIRST]: standingAfter("refused") }).observed).toContain("a look that was refused");
    expect(check({ [FIRST]: standingAfter("error") }).observed).toContain("a look that was error");
    expect(check({ [FIRST]: undefined }).observed).toBe("193.0.14.129 was not checked yet.");
  });

  it("reports a pending confirmation after the first check that finds a listing", () => {
    const result = check({ [FIRST]: standingAfter("listed") });
    expect(result.status).toBe("not_tested");
    expect(result.observed).toContain("A confirmation check is pending");
    const doubted = check({ [FIRST]: standingAfter("clean", "listed") });
    expect(doubted.status).toBe("pass");
    expect(doubted.observed).toContain("found it listed");
  });

  it("keeps the known result with its age for 48 hours of an outage", () => {
    const states: AnswerState[] = ["listed", "listed", "error", "refused", "error"];
    const kept = check({ [FIRST]: standingAfter(...states) });
    expect(kept.status).toBe("fail");
    expect(kept.observed).toContain(
      "last at 2026-11-24 09:00 UTC; no check since 2026-11-24 10:00 UTC was conclusive",
    );
    const later = check({ [FIRST]: standingAfter(...states) }, { now: NOW_MS + 46 * HOUR_MS });
    expect(later.status).toBe("error");
    expect(later.observed).toContain("at 2026-11-24 09:00 UTC it was listed");
  });

  it("is not tested if the list is not configured, regardless of stored results", () => {
    const [list] = openLists(
      blacklists.filter(({ id }) => id === "spamhaus_zen"),
      {},
    );
    const result = check({ [FIRST]: standingAfter("listed", "listed") }, list && { list });
    expect(result).toMatchObject({ id: "bl.spamhaus_zen", status: "not_tested", evidence: [] });
    expect(result.observed).toBe(
      "Hermod does not query Spamhaus ZEN: it needs a key: https://www.spamhaus.com.",
    );
  });

  it("is not tested without a subject that the list can contain", () => {
    expect(check({}).observed).toContain("no public sending address");
    expect(check({}, { addresses: ["10.0.0.1", "2001:7fd::1"] }).status).toBe("not_tested");
    const [result] = checkBlacklists({
      domain: "co.uk",
      addresses: [FIRST],
      lists: [openBlacklist("uribl")],
      standingOf: () => standingAfter("clean"),
      now: new Date(NOW_MS),
    });
    expect(result && withParts(result)).toMatchObject({
      status: "not_tested",
      observed: expect.stringContaining("public suffix"),
    });
  });

  it("checks the registrable name of a domain, and the whole name at SURBL", () => {
    const standings = {
      "example.co.uk": standingAfter("clean"),
      "mail.example.co.uk": standingAfter("listed", "listed"),
    };
    expect(check(standings, { list: openBlacklist("uribl") }).status).toBe("pass");
    expect(check(standings, { list: openBlacklist("surbl") }).status).toBe("fail");
  });

  it("stays short for a domain with many addresses, the worst first", () => {
    const many = Array.from({ length: 60 }, (_, index) => `193.0.15.${index}`);
    const standings = Object.fromEntries(many.map((one) => [one, standingAfter("clean")]));
    const result = check({ ...standings, "193.0.15.59": standingAfter("listed", "listed") });
    expect(result.status).toBe("fail");
    expect(result.observed).toMatch(
      /^193\.0\.15\.59 is listed .* 55 more have the same or a better status\.$/,
    );
    expect(result.evidence).toHaveLength(20);
  });

  it("has the weight of the list", () => {
    expect(catalogueEntryOf(mailspike.list)).toMatchObject({ category: "reputation", weight: 5 });
  });
});
