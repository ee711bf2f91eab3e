import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { phrase } from "../shared/phrase.ts";
import type { RecordEvidence, RecordOutcome } from "../store/domain-document.ts";
import { standingOf } from "./domain-status.ts";
import { CONFIRM_MS, type Finding, mergeFinding } from "./evidence.ts";

const MINUTE_MS = 60_000;
const start = Date.parse("2030-01-01T00:00:00Z");

const finding = (outcome: RecordOutcome, authoritative = true): Finding => ({
  key: "ownership",
  outcome,
  authoritative,
  problem: outcome === "right" ? "" : outcome,
  note: "",
  aliases: [],
  found: [],
});

/** A check this many minutes after the start. */
interface Sample {
  readonly minute: number;
  readonly outcome: RecordOutcome;
  readonly authoritative: boolean;
}

const samples = fc.uniqueArray(
  fc.record({
    minute: fc.nat(2_000),
    outcome: fc.constantFrom<RecordOutcome>("right", "partial", "wrong", "missing", "unknown"),
    authoritative: fc.boolean(),
  }),
  { selector: ({ minute }) => minute, maxLength: 12 },
);

function evidenceOf(list: readonly Sample[], first?: RecordEvidence): RecordEvidence | undefined {
  return list.reduce<RecordEvidence | undefined>(
    (known, { minute, outcome, authoritative }) =>
      mergeFinding(known, finding(outcome, authoritative), new Date(start + minute * MINUTE_MS)),
    first,
  );
}

const sorted = (list: readonly Sample[]) => list.toSorted((a, b) => a.minute - b.minute);
const stands = (record: RecordEvidence | undefined) =>
  record?.rightAt !== undefined && record.against?.confirmedAt === undefined;

describe("evidence", () => {
  it("is lost after two denials of the zone's own servers, 15 minutes apart, and in no other case", () => {
    fc.assert(
      fc.property(samples, (list) => {
        const right = mergeFinding(undefined, finding("right"), new Date(start - MINUTE_MS));
        const ordered = sorted(list);
        const last = ordered.findLastIndex(({ outcome }) => outcome === "right");
        const denials = ordered
          .slice(last + 1)
          .filter(({ outcome, authoritative }) => authoritative && ["wrong", "missing"].includes(outcome))
          .map(({ minute }) => minute * MINUTE_MS);
        const isLost = denials.length > 0 && Math.max(...denials) - Math.min(...denials) >= CONFIRM_MS;
        expect(stands(evidenceOf(ordered, right))).toBe(!isLost);
      }),
    );
  });

  it("keeps the last result and its time through inconclusive checks", () => {
    fc.assert(
      fc.property(samples, (list) => {
        const learned = sorted(list).filter(({ outcome }) => outcome !== "unknown");
        const [all, without] = [evidenceOf(sorted(list)), evidenceOf(learned)];
        if (!without) return;
        expect({ ...all, failure: undefined }).toEqual({ ...without, failure: undefined });
      }),
    );
  });

  it("is not changed by a check that began before the known one", () => {
    const late = mergeFinding(undefined, finding("right"), new Date(start + MINUTE_MS));
    for (const outcome of ["missing", "wrong", "partial", "unknown"] as const)
      expect(mergeFinding(late, finding(outcome), new Date(start))).toBe(late);
  });
});

describe("the parts of a result", () => {
  const missing = phrase("txt.missing", { name: "_hermod.example.com" });
  const said = { problem: missing.text, problemParts: missing.parts };
  const at = (minute: number) => new Date(start + minute * MINUTE_MS);
  const known = mergeFinding(undefined, { ...finding("missing"), ...said }, at(0));

  it("are stored beside its text, and those of a failed check beside the failure", () => {
    expect(known).toMatchObject(said);
    const silent = phrase("dns.not_queried", { detail: "no answer in time", cause: "timeout" });
    const failed = { ...finding("unknown"), problem: silent.text, problemParts: silent.parts };
    const later = mergeFinding(known, failed, at(1));
    expect(later).toMatchObject({ ...said, failure: { reason: silent.text, reasonParts: silent.parts } });
  });

  it("are gone with the next result that has none, as one of a former release", () => {
    expect(mergeFinding(known, finding("wrong"), at(1))).not.toHaveProperty("problemParts");
  });

  it("are in the reasons of a domain, unless a former release stored its record", () => {
    const reasonsWith = (record: RecordEvidence) =>
      standingOf({ name: "example.com", records: [record] }, [], at(1)).reasons;
    const [reason, noKey] = reasonsWith(known);
    expect(reason?.text).toBe(`The proof of ownership: ${missing.text}`);
    expect(reason?.parts).toEqual([{ code: "domain.ownership" }, ...missing.parts]);
    expect(noKey).toEqual(phrase("domain.no_key"));
    const { problemParts: _, ...former } = known;
    expect(reasonsWith(former)[0]).toEqual({ text: reason?.text, parts: [] });
    const failure = { at: at(0), reason: "The name servers could not be queried." };
    const unknown = mergeFinding(undefined, { ...finding("unknown"), problem: failure.reason }, at(0));
    expect(reasonsWith(unknown)[0]).toEqual({
      text: `The proof of ownership has not been found: ${failure.reason}`,
      parts: [],
    });
  });
});

describe("a standing", () => {
  const keys = [{ selector: "r", algorithm: "rsa-sha256", signsFrom: new Date(0) }] as const;
  const dkim = { ...mergeFinding(undefined, finding("right"), new Date(start)), key: "dkim:r" };

  it("stays verified for a verified domain unless a loss is certain", () => {
    fc.assert(
      fc.property(samples, (list) => {
        const right = mergeFinding(undefined, finding("right"), new Date(start - MINUTE_MS));
        const ownership = evidenceOf(sorted(list), right) as RecordEvidence;
        const domain = { name: "example.com", verifiedAt: new Date(start), records: [ownership, dkim] };
        const now = new Date(start + 2_000 * MINUTE_MS);
        const { status, maySend } = standingOf(domain, keys, now);
        expect(status).toBe(stands(ownership) ? "verified" : "degraded");
        expect(maySend).toBe(true);
      }),
    );
  });

  it("forbids sending until the proof and the key were found", () => {
    fc.assert(
      fc.property(samples, (list) => {
        const never = sorted(list).map((sample) => ({
          ...sample,
          outcome: sample.outcome === "right" ? ("partial" as const) : sample.outcome,
        }));
        const ownership = evidenceOf(never);
        const domain = { name: "example.com", records: ownership ? [ownership, dkim] : [dkim] };
        const { status, maySend } = standingOf(domain, keys, new Date(start + 5_000 * MINUTE_MS));
        expect([status, maySend]).toEqual(["unverified", false]);
      }),
    );
  });

  it("requires a signing key", () => {
    const ownership = mergeFinding(undefined, finding("right"), new Date(start));
    const upcoming = [{ ...keys[0], signsFrom: new Date(start + MINUTE_MS) }];
    for (const none of [[], upcoming]) {
      const { maySend } = standingOf({ name: "example.com", records: [ownership] }, none, new Date(start));
      expect(maySend).toBe(false);
    }
  });
});
