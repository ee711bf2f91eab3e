import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createExposition, createMetrics } from "../src/admin/metrics.ts";
import { grafanaDashboard } from "./harness/grafana-dashboard.ts";
import { tool } from "./harness/tools.ts";

const RULES = "deploy/prometheus/hermod.rules.yml";
const UNIT = "deploy/systemd/hermod.service";
const DASHBOARD = "deploy/grafana/hermod.json";
/** Exposure 2.0 of 10. */
const THRESHOLD = "20";

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});
const { groups } = rulesSchema.parse(parse(readFileSync(RULES, "utf8")));
const rules = groups.flatMap((group) => group.rules);
const queries = grafanaDashboard().panels?.flatMap((panel) =>
  "targets" in panel
    ? (panel.targets ?? []).map((target) => ("expr" in target ? String(target.expr) : ""))
    : [],
);

const promtool = tool("promtool");
const systemd = tool("systemd");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hermod-deploy-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Names of the metrics of a process, also those of parts of histograms. */
async function knownMetrics(): Promise<Set<string>> {
  const { registry } = createMetrics();
  const { metrics } = createExposition(async () => [await registry.getMetricsAsJSON()]);
  const types = [...(await metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const parts = ["_bucket", "_count", "_sum"];
  return new Set([
    "up",
    ...types.flatMap(([, name = "", type]) =>
      type === "histogram" ? parts.map((part) => `${name}${part}`) : name,
    ),
  ]);
}

const metricsIn = (query: string) => query.match(/\b(?:hermod|process|nodejs)_[a-z0-9_]+/g) ?? [];
/** The metric, also of a part of a histogram. */
const metricOf = (name: string) => name.replace(/_(?:bucket|count|sum)$/, "");

describe("the alert rules of Prometheus", () => {
  it.skipIf(promtool.missing)(`are valid${promtool.note}`, () => {
    execFileSync("promtool", ["check", "rules", "--lint=all", "--lint-fatal", RULES]);
  });

  it.skipIf(promtool.missing)(
    `fire when they should, and are silent for a healthy installation${promtool.note}`,
    () => {
      execFileSync("promtool", ["test", "rules", "test/fixtures/prometheus/hermod.rules.test.yml"]);
    },
  );

  it("have a test of each rule", () => {
    const tests = readFileSync("test/fixtures/prometheus/hermod.rules.test.yml", "utf8");
    expect(rules.map(({ alert }) => alert).filter((name) => !tests.includes(name))).toEqual([]);
  });

  it("use only metrics of Hermod and its runtime", async () => {
    const known = await knownMetrics();
    const used = rules.flatMap(({ expr }) => metricsIn(expr));
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it("have a section of the guide for each rule, in the same order", () => {
    const guide = readFileSync("docs/how-to/monitor.md", "utf8");
    const headings = [...guide.matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    expect(guide).toContain(`has ${rules.length} rules`);
  });
});

describe("the dashboard of Grafana", () => {
  it("has the panels of its source, and no others", async () => {
    await expect(`${JSON.stringify(grafanaDashboard(), null, 2)}\n`).toMatchFileSnapshot(`../${DASHBOARD}`);
  });

  it("uses only metrics of Hermod and its runtime, and every metric that a process always has", async () => {
    const known = await knownMetrics();
    const used = new Set(queries?.flatMap(metricsIn));
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
    const shown = [...used].map(metricOf);
    const own = [...known].filter((name) => name.startsWith("hermod_")).map(metricOf);
    expect([...new Set(own)].filter((name) => !shown.includes(name))).toEqual(["hermod_clock_steps_total"]);
  });

  it.skipIf(promtool.missing)(`has valid queries${promtool.note}`, () => {
    const rulesOf = (queries ?? []).map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll("$__rate_interval", "1m").replaceAll("$job", ".*").replaceAll("$instance", ".*"),
    }));
    const file = path.join(folder, "queries.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "queries", rules: rulesOf }] }));
    execFileSync("promtool", ["check", "rules", "--lint=none", file]);
  });
});

describe("the guide to monitoring", () => {
  it.skipIf(promtool.missing)(`has a valid configuration of Prometheus${promtool.note}`, () => {
    const guide = readFileSync("docs/how-to/monitor.md", "utf8");
    const [, config = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(guide) ?? [];
    writeFileSync(path.join(folder, "prometheus.yml"), config);
    writeFileSync(path.join(folder, "hermod.rules.yml"), readFileSync(RULES));
    execFileSync("promtool", ["check", "config", path.join(folder, "prometheus.yml")]);
  });
});

describe("the unit of systemd", () => {
  it("gets its place from the commands of the guide", () => {
    const guide = readFileSync("docs/how-to/deploy.md", "utf8");
    const [, section = ""] = /^### With systemd\n([\s\S]*?)^## /m.exec(guide) ?? [];
    const commands = [...section.matchAll(/^ {4}(.*)$/gm)].map(([, line]) => line).join("\n");
    const root = path.join(folder, "root");
    const shell = [
      "cd() { :; }",
      "npm() { :; }",
      "systemctl() { :; }",
      `cat() { [[ $1 == /var/lib/private/* ]]; }`,
      // Below a folder in place of the root.
      `install() { mkdir -p "${root}\${@: -1}"; command install "\${@:1:$#-1}" "${root}\${@: -1}"; }`,
      commands,
    ].join("\n");
    execFileSync("bash", ["--norc", "-e", "-o", "pipefail", "-c", shell]);
    const unit = path.join(root, "etc/systemd/system/hermod.service");
    expect(readFileSync(unit, "utf8")).toBe(readFileSync(UNIT, "utf8"));
  });

  it.skipIf(systemd.missing)(`is valid, and exposes little of the machine${systemd.note}`, () => {
    const shown = execFileSync(
      "systemd-analyze",
      ["security", "--offline=true", `--threshold=${THRESHOLD}`, "--no-pager", UNIT],
      { encoding: "utf8" },
    );
    expect(shown).toContain("Overall exposure level");
    execFileSync("systemd-analyze", ["verify", UNIT]);
  });
});
