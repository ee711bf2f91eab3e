import { expect, it } from "vitest";
import { createMetrics } from "../../src/admin/metrics.ts";
import { showClaims } from "../../src/roles/worker.ts";

it("gives each process metrics of its own", async () => {
  const [first, second] = [createMetrics(), createMetrics()];
  first.accepts.inc({ outcome: "accepted", code: "" });
  expect(await first.registry.metrics()).toContain('hermod_accepts_total{outcome="accepted",code=""} 1');
  expect(await second.registry.metrics()).not.toContain("hermod_accepts_total{");
});

it("names its metrics as Prometheus has it", async () => {
  const { registry } = createMetrics();
  for (const metric of await registry.getMetricsAsJSON()) {
    if (!metric.name.startsWith("hermod_")) continue;
    const unit =
      String(metric.type) === "counter"
        ? /_total$/
        : /_(seconds|bytes|messages|in_flight|streams|partitions|sessions|migrations|threads|holds)$/;
    expect(metric.name).toMatch(unit);
    expect(metric.help).toMatch(/\.$/);
  }
});

it("shows what a worker claims of the limits that it wants most of, as of its last round alone", async () => {
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
