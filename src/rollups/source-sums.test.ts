import fc from "fast-check";
import { expect, it } from "vitest";
import type { DailyRollup } from "./daily-rollup.ts";
import { createSourceSums } from "./source-sums.ts";

const DAYS = ["2030-01-01", "2030-01-02", "2030-01-03"];
const few = fc.nat(1_000);

interface Counted {
  readonly domain: string;
  readonly rollup: DailyRollup;
}

const counted: fc.Arbitrary<Counted> = fc
  .record({
    domain: fc.constantFrom("example.com", "example.org"),
    day: fc.constantFrom("2029-12-31", ...DAYS, "2030-01-04"),
    sourceIp: fc.constantFrom("192.0.2.1", "192.0.2.2", "198.51.100.1"),
    both: few,
    dkim: few,
    spf: few,
    none: few,
    overridden: few,
  })
  .map(({ domain, day, sourceIp, both, dkim, spf, none, overridden }) => {
    const messages = both + dkim + spf + none;
    const dispositions = { none: messages - none, quarantine: 0, reject: none, other: 0 };
    const alignment = { both, dkim, spf, none };
    const sums = { messages, dispositions, alignment, overridden };
    return { domain, rollup: { policyDomain: domain, day, sourceIp, senders: {}, ...sums } };
  });

const sourceOf = ({ sourceIp }: Pick<DailyRollup, "sourceIp">) => ({
  source: sourceIp.startsWith("192") ? "Service" : sourceIp,
  known: sourceIp.startsWith("192"),
});
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

it("counts each message of the range once in its source, in its day and in the total", () => {
  fc.assert(
    fc.property(fc.array(counted), (all) => {
      const sums = createSourceSums(DAYS, sourceOf);
      for (const { domain, rollup } of all) sums.add(domain, [rollup]);
      const within = all.filter(({ rollup: { day } }) => DAYS.includes(day));
      const failed = (some: readonly Counted[]) => sum(some.map(({ rollup }) => rollup.alignment.none));
      const messages = (some: readonly Counted[]) => sum(some.map(({ rollup }) => rollup.messages));
      expect([sums.total().messages, sums.total().messages - sums.total().passed]).toEqual([
        messages(within),
        failed(within),
      ]);
      for (const [index, day] of sums.days().entries()) {
        const ofDay = within.filter(({ rollup }) => rollup.day === DAYS[index]);
        const known = ofDay.filter(({ rollup }) => sourceOf(rollup).known);
        expect(day).toEqual({
          day: DAYS[index],
          messages: messages(ofDay),
          failed: failed(ofDay),
          knownMessages: messages(known),
          knownFailed: failed(known),
        });
      }
      const names = new Set(within.map(({ rollup }) => sourceOf(rollup).source));
      expect(new Set(sums.sources().map(({ source }) => source))).toEqual(names);
      for (const one of sums.sources()) {
        const ofSource = within.filter(({ rollup }) => sourceOf(rollup).source === one.source);
        expect(one.sums.messages).toBe(messages(ofSource));
        expect(sum(one.messagesByDay)).toBe(messages(ofSource));
        expect(sum(one.failedByDay)).toBe(failed(ofSource));
        expect(sum([...one.domains.values()])).toBe(messages(ofSource));
        expect(one.addresses).toEqual(new Set(ofSource.map(({ rollup }) => rollup.sourceIp)));
      }
    }),
  );
});
