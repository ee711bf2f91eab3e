import { expect, it } from "vitest";
import { createMetrics } from "../../src/admin/metrics.ts";

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
        : /_(seconds|bytes|messages|in_flight|streams|partitions|sessions)$/;
    expect(metric.name).toMatch(unit);
    expect(metric.help).toMatch(/\.$/);
  }
});
