import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dashboard } from "../../contracts/index.ts";
import { kindsOf } from "../../src/intel/blacklists/blacklist.ts";
import { blacklists } from "../../src/intel/blacklists/blacklists.ts";
import { catalogue } from "../../src/intel/catalogue.ts";
import { domainStatuses } from "../../src/intel/domain-status.ts";
import { caps } from "../../src/intel/score/caps.ts";
import { grades, MIN_COVERAGE, SHARES } from "../../src/intel/score/score.ts";
import { MAX_SCHEDULES } from "../../src/store/schedule-store.ts";

const guide = ["deliverability", "deliverability-checks", "deliverability-reports"]
  .map((page) => readFileSync(`docs/reference/${page}.md`, "utf8"))
  .join("\n");

/** The rows of the table with this heading, each as its cells. */
function tableBelow(heading: string): string[][] {
  const lines = guide.split("\n");
  const at = lines.findIndex((line) => line.startsWith(heading));
  expect([heading, at]).not.toEqual([heading, -1]);
  const rows = lines.slice(at + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end).map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
}

describe("the pages about Deliverability Intel", () => {
  it("has every check of the catalogue, in its order", () => {
    const rows = tableBelow("| Check |").slice(0, -1);
    expect(rows).toEqual(
      Object.entries(catalogue).map(([id, { weight, title, reference }]) => [
        ...[`\`${id}\``, String(weight), title, reference],
      ]),
    );
  });

  it("contains every blacklist with its query conditions", () => {
    const asked = { free: "by itself", key: "`key=`", registration: "`registered`" } as const;
    const kindsText = (list: (typeof blacklists)[number]) => {
      const kinds = kindsOf(list);
      if (kinds.includes("domain")) return "domains";
      return kinds.includes("ip6") ? "addresses" : "addresses (IPv4)";
    };
    expect(tableBelow("| List |")).toEqual(
      blacklists.map((list) => [
        ...[`\`${list.id}\``, list.name, kindsText(list), String(list.weight), asked[list.terms.kind]],
        ...[list.queriesPerDay.toLocaleString("en-US"), list.terms.url],
      ]),
    );
    expect(
      blacklists.filter(({ terms, isOnByDefault }) => isOnByDefault !== (terms.kind === "free")),
    ).toEqual([]);
  });

  it("describes the computation of the score", () => {
    for (const [category, share] of Object.entries(SHARES))
      expect(guide).toContain(`\`${category}\` ${share} %`);
    expect(guide).toContain(`Below ${MIN_COVERAGE * 100} % there is no grade`);
    expect(guide).toContain(`| Grade | ${grades.map(([grade]) => grade).join(" | ")} |`);
    expect(tableBelow("| At most |").map(([limit]) => limit)).toEqual(caps.map(({ limit }) => String(limit)));
    expect(guide).toContain(`| from | ${grades.map(([, from]) => from).join(" | ")} |`);
  });

  it("contains every field of a report schedule, and their maximum number", () => {
    const told = tableBelow("| Field |").flatMap(([names = ""]) => names.replaceAll("`", "").split(", "));
    const { shape } = dashboard.schedules.createSchedule.body;
    expect(told.toSorted()).toEqual(Object.keys(shape).toSorted());
    expect(guide).toContain(`A workspace has up to ${MAX_SCHEDULES.toLocaleString("en-US")} of them.`);
  });

  it("has every status of a domain", () => {
    const told = tableBelow("| `status`, the first match").map(([status = ""]) => status.replaceAll("`", ""));
    expect(told.toSorted()).toEqual([...domainStatuses].toSorted());
  });
});
