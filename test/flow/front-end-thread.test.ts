import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import { afterEach, describe, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, newSettings, startHermod } from "../harness/start-hermod.ts";
import { untilAllCaptured } from "../harness/stored.ts";

const PRELOAD = path.resolve(import.meta.dirname, "front-end-thread-preload.js");

let hermod: Hermod | undefined;
afterEach(async () => {
  await hermod?.dispose();
  hermod = undefined;
});

async function text(url: string): Promise<string> {
  return (await fetch(url)).text();
}

async function submit({ firstRun }: Hermod, subject: string, body = "Hello."): Promise<void> {
  const { host, port, username, password } = firstRun.smtp;
  const transport = createTransport({
    host,
    port,
    auth: { user: username, pass: password },
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  });
  await transport.sendMail({ from: firstRun.sender, to: "ada@example.org", subject, text: body });
  transport.close();
}

/** A Hermod with front ends that fail or stall on demand. */
async function startTroubled(): Promise<{ running: Hermod; trouble(kind: "fail" | "stall"): Promise<void> }> {
  const env = await newSettings();
  const file = path.join(env.HERMOD_DATA_DIR ?? "", "trouble");
  const settings = {
    HERMOD_FRONT_END_THREAD: "always",
    HERMOD_DRAIN_MS: "1000",
    HERMOD_TEST_TROUBLE: file,
    NODE_OPTIONS: `--import=${PRELOAD}`,
  };
  const running = await startHermod({ env, settings });
  return { running, trouble: (kind) => writeFile(file, kind) };
}

describe.each(["always", "never"])("front ends in a thread of their own: %s", (wanted) => {
  it("accept small and large mail over HTTP and SMTP, and are part of the process's metrics and readiness", async () => {
    hermod = await startHermod({ settings: { HERMOD_FRONT_END_THREAD: wanted } });
    expect((await post(hermod, email({ subject: "By HTTP" }))).status).toBe(202);
    await submit(hermod, "By SMTP");
    await submit(hermod, "Large", "A line of a large message.\r\n".repeat(100_000));
    const stored = await untilAllCaptured(hermod);
    expect(stored.map(({ subject }) => subject).toSorted()).toEqual(["By HTTP", "By SMTP", "Large"]);

    const metrics = await text(`${hermod.adminUrl}/metrics`);
    expect(metrics).toContain(
      'hermod_http_requests_total{method="POST",route="/v1/email/send",status="202"} 1',
    );
    expect(metrics).toMatch(/^hermod_smtp_messages_total\{outcome="accepted",.*\} 2$/m);
    expect(metrics).toContain('hermod_accepts_total{outcome="accepted",code=""} 3');
    expect(metrics).toContain('hermod_bytes_in_flight{role="edge"} 0');
    expect(metrics).toContain('hermod_bytes_in_flight{role="core"} 0');
    expect(metrics.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
    for (const [name] of metrics.matchAll(/^# TYPE \S+/gm)) expect(metrics.split(`${name} `)).toHaveLength(2);

    expect(JSON.parse(await text(`${hermod.adminUrl}/readyz`))).toEqual({
      status: "ready",
      checks: { store: "ok", core: "ok", room: "ok", answers: "ok" },
    });
    expect(await hermod.stop()).toBe(0);
  });
});

describe("a thread of front ends", () => {
  it("that fails ends the process with a reason, and loses nothing", async () => {
    const { running, trouble } = await startTroubled();
    hermod = running;
    expect((await post(hermod, email({ subject: "Before" }))).status).toBe(202);
    await trouble("fail");
    await eventually(async () => running.hasEnded() || undefined);
    expect(running.log()).toContain(
      "The front ends cannot continue: The thread of the front ends has failed.",
    );
    expect(await running.stop()).toBe(2);
    hermod = await running.restart({ NODE_OPTIONS: "" });
    expect(await untilAllCaptured(hermod)).toMatchObject([{ subject: "Before" }]);
  });

  it("that stalls is reported by readiness and metrics, and does not prevent the shutdown", async () => {
    const { running, trouble } = await startTroubled();
    hermod = running;
    const sent = 'hermod_http_requests_total{method="POST",route="/v1/email/send",status="202"} 1';
    expect((await post(hermod, email())).status).toBe(202);
    const before = await text(`${running.adminUrl}/metrics`);
    expect(before).toContain(sent);
    expect(before).toContain("hermod_silent_threads 0");
    await trouble("stall");
    await eventually(async () => {
      const { checks } = JSON.parse(await text(`${running.adminUrl}/readyz`)) as {
        readonly checks: Readonly<Record<string, string>>;
      };
      return checks.room === "no answer within 2000 ms" || undefined;
    });
    const after = await text(`${running.adminUrl}/metrics`);
    expect(after).toContain(sent);
    expect(after).toContain("hermod_silent_threads 1");
    expect(await running.stop()).toBe(0);
  });
});
