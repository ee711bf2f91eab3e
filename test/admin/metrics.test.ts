import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createExposition, createMetrics } from "../../src/admin/metrics.ts";
import { showClaims } from "../../src/roles/worker.ts";

it("gives each process its own metrics", async () => {
  const [first, second] = [createMetrics(), createMetrics()];
  first.accepts.inc({ outcome: "accepted", code: "" });
  expect(await first.registry.metrics()).toContain('hermod_accepts_total{outcome="accepted",code=""} 1');
  expect(await second.registry.metrics()).not.toContain("hermod_accepts_total{");
});

it("names its metrics by the conventions of Prometheus", async () => {
  const { registry } = createMetrics();
  for (const metric of await registry.getMetricsAsJSON()) {
    if (!metric.name.startsWith("hermod_")) continue;
    const unit =
      String(metric.type) === "counter"
        ? /_total$/
        : /_(seconds|bytes|messages|in_flight|streams|partitions|sessions|migrations|threads|holds|info)$/;
    expect(metric.name).toMatch(unit);
    expect(metric.help).toMatch(/\.$/);
  }
});

it("follows the naming rules of Prometheus, also for metrics of the library", async () => {
  const text = await createExposition(async () => [
    await createMetrics().registry.getMetricsAsJSON(),
  ]).metrics();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => ({
    name,
    type,
  }));
  expect(types.length).toBeGreaterThan(40);
  expect(new Set(types.map(({ name }) => name)).size).toBe(types.length);
  // The rules of `promtool check metrics`.
  for (const { name, type } of types) {
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    if (type === "gauge") expect(name).not.toMatch(/_(?:count|sum|bucket)$/);
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(name).not.toMatch(
      /_(?:counter|gauge|histogram|summary|milliseconds|ms|kilobytes|mb|kb|minutes|hours)(?:_|$)/,
    );
  }
  for (const name of ["nodejs_handles", "nodejs_requests", "nodejs_resources"])
    expect(text).toMatch(new RegExp(`^${name} \\d+$`, "m"));
});

it("has no metric that the program never sets", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter(
      (name) =>
        name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== path.join("admin", "metrics.ts"),
    )
    .map((name) => readFileSync(path.join("src", name), "utf8"))
    .join("\n");
  const unset = Object.keys(createMetrics())
    .filter((name) => name !== "registry" && name !== "watchBytesInFlight")
    .filter((name) => !new RegExp(`\\b${name}\\.(?:set|inc|observe)\\(`).test(sources));
  expect(unset).toEqual([]);
});

it("shows the claims of a worker for its most wanted limits, only of its last round", async () => {
  const metrics = createMetrics();
  const claims = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ limit: ` provider p${n}.example`, wants: 30 - n, holds: 7 }));
  showClaims({ metrics }, claims(30));
  const shown = async () =>
    (await metrics.registry.metrics()).split("\n").filter((line) => line.startsWith("hermod_limit_"));
  expect(await shown()).toHaveLength(40);
  showClaims({ metrics }, [...claims(1), { limit: "seldom", wants: 0.3, holds: 0.3 }]);
  expect(await shown()).toEqual([
    'hermod_limit_wanted_in_flight{limit="provider p0.example"} 30',
    'hermod_limit_held_in_flight{limit="provider p0.example"} 7',
  ]);
});
