import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMetrics } from "../../src/admin/metrics.ts";
import { email, post } from "../harness/http.ts";
import { openSmtpSession } from "../harness/smtp-session.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { untilAllCaptured } from "../harness/stored.ts";

/** Metrics that stay 0 or without a series in a run without problems, each with the reason. */
const SELDOM: Readonly<Record<string, string>> = {
  hermod_bytes_in_flight: "nothing is in memory between two requests",
  hermod_deliveries_in_flight: "no attempt is under way once all is captured",
  hermod_dispatch_streams: "the core and the worker are one process",
  hermod_dispatch_partitions: "the core and the worker are one process",
  hermod_bounce_reports_total: "no report comes to a return path",
  hermod_accept_troubles_total: "nothing fails after a submission is decided",
  hermod_request_log_left_out_total: "the log of requests has room",
  hermod_tracking_left_out_total: "no message is tracked",
  hermod_limit_wanted_in_flight: "no destination has more messages than its share",
  hermod_limit_held_in_flight: "no destination has more messages than its share",
  hermod_unfinished_migrations: "the database is new",
  hermod_silent_threads: "every thread answers",
  hermod_clock_skew_seconds: "the clock of the embedded engine is that of the process",
  hermod_clock_steps_total: "the wall clock does not step",
  hermod_uncounted_age_seconds: "all events are counted when it is measured",
  hermod_damaged_leases_total: "no lease is damaged",
  hermod_damaged_documents_total: "no document is damaged",
  hermod_quarantined_total: "no message is damaged",
  hermod_quarantine_messages: "no message is damaged",
};

/** Series without a meaningful value: buckets below the observed value are 0. */
const IS_BUCKET = /_bucket$/;

let hermod: Hermod;
const metrics = () => fetch(`${hermod.adminUrl}/metrics`).then((answer) => answer.text());

/** The largest sample of a metric; undefined: it has none. */
function largest(text: string, name: string): number | undefined {
  const samples = text.split("\n").flatMap((line) => {
    const [, series = "", value] = /^([a-z0-9_]+)(?:\{.*\})? (\S+)$/.exec(line) ?? [];
    const isOfMetric = series === name || series === `${name}_count` || series === `${name}_sum`;
    return isOfMetric && !IS_BUCKET.test(series) ? [Number(value)] : [];
  });
  return samples.length === 0 ? undefined : Math.max(...samples);
}

async function sendBySmtp(password: string): Promise<unknown> {
  const { smtp, sender } = hermod.firstRun;
  const transport = nodemailer.createTransport({
    host: smtp.host,
    port: smtp.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: smtp.username, pass: password },
  });
  try {
    return await transport.sendMail({ from: sender, to: "ada@example.org", text: "Hello." });
  } finally {
    transport.close();
  }
}

describe("/metrics after a run", () => {
  beforeAll(async () => {
    hermod = await startHermod();
    await post(hermod, email());
    await sendBySmtp(hermod.firstRun.smtp.password);
    await expect(sendBySmtp("wrong")).rejects.toThrow();
    await untilAllCaptured(hermod);
    await hermod.core.queues.holdQueue({ selection: { all: true } });
    // The worker knows the hold.
    await eventually(async () => (largest(await metrics(), "hermod_queue_holds") === 1 ? true : undefined));
    await post(hermod, email());
  });
  afterAll(() => hermod.dispose());

  it("contains a sample of every metric, above 0 for each that a run without problems counts", async () => {
    const session = await openSmtpSession(hermod.firstRun.smtp.port);
    const names = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
    const expected = names.filter((name) => SELDOM[name] === undefined);
    const missing = (text: string) => expected.filter((name) => !((largest(text, name) ?? 0) > 0));
    const text = await eventually(async () => {
      const now = await metrics();
      return missing(now).length === 0 ? now : undefined;
    }).catch(metrics);
    session.close();
    expect(missing(text)).toEqual([]);
    for (const name of Object.keys(SELDOM)) {
      expect(names).toContain(name);
      expect(text).toContain(`# TYPE ${name} `);
    }
  });

  it("contains the size of each accepted message, and the age of the due and held one", async () => {
    const text = await metrics();
    expect(largest(text, "hermod_message_size_bytes")).toBeGreaterThan(0);
    expect(text).toMatch(/^hermod_message_size_bytes_count 3$/m);
    expect(text).toMatch(/^hermod_queue_depth_messages\{state="waiting"\} 1$/m);
  });

  it("contains the version, the commit and the Node.js release, like /healthz and the core", async () => {
    const { version, commit } = await fetch(`${hermod.adminUrl}/healthz`).then(
      (answer) => answer.json() as Promise<{ version: string; commit: string }>,
    );
    const node = process.versions.node;
    expect(await metrics()).toContain(
      `hermod_build_info{version="${version}",commit="${commit}",node="${node}"} 1`,
    );
    const program = commit === "unknown" ? version : `${version}+${commit}`;
    const status = await hermod.core.status.getStatus({});
    expect(status.program).toBe(program);
    expect(status.processes).toMatchObject([{ program }]);
    expect(hermod.log()).toContain(`"version":"${program}"`);
  });
});
