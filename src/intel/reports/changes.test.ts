import { expect, it } from "vitest";
import { reportInputs } from "../../../test/harness/report-inputs.ts";
import { MAX_HISTORY_POINTS } from "../../shared/intel-retention.ts";
import { changes } from "./changes.ts";
import { createTitleOf } from "./check-titles.ts";

it("lists the first findings of a history of the maximum length, which may be cut at its beginning", () => {
  const inputs = reportInputs({ domains: 1 });
  const texts = (points: number) => {
    const domains = inputs.domains.map((domain) => {
      const [point] = domain.history;
      const at = (index: number) => new Date(inputs.period.from.getTime() + 60_000 * (index + 1));
      const history = Array.from({ length: points }, (_, index) => ({ ...point, at: at(index) }) as never);
      const openedAt = at(0);
      return { ...domain, history, findings: domain.findings.map((finding) => ({ ...finding, openedAt })) };
    });
    const all = changes({ ...inputs, domains }, createTitleOf(inputs.lists));
    return all.filter(({ kind }) => kind === "finding_opened").length;
  };
  expect(texts(MAX_HISTORY_POINTS - 1)).toBe(0);
  expect(texts(MAX_HISTORY_POINTS)).toBeGreaterThan(0);
});
