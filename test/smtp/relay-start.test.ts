import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import nodemailer from "nodemailer";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { openAuthenticated, openWire } from "../harness/smtp-wire.ts";
import {
  eventually,
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  runToEnd,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

/** Sends one message by a session that is open; resolves to the last reply. */
async function sendBy(
  wire: Awaited<ReturnType<typeof openAuthenticated>>,
  to = "ann@example.net",
): Promise<string> {
  const answer = await wire.say("MAIL FROM:<hello@example.com>");
  if (!answer.startsWith("250")) return answer;
  await wire.say(`RCPT TO:<${to}>`);
  await wire.say("DATA");
  return wire.say(
    "From: hello@example.com\r\nSubject: x\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n\r\nx\r\n.",
  );
}

describe("the relay of a first run", () => {
  let hermod: Hermod;
  beforeAll(async () => {
    hermod = await startHermod({ settings: { HERMOD_SMTPS_PORT: "0", HERMOD_KEY_CACHE_MS: "0" } });
  });
  afterAll(() => hermod.dispose());

  it("is announced with its port, and has its own certificate", async () => {
    const { port } = hermod.firstRun.smtp;
    expect(port).toBeGreaterThan(1023);
    expect(hermod.stdout()).toContain(`SMTP       127.0.0.1:${port} `);
    const ca = await readFile(path.join(hermod.dataDir, "smtp-tls.crt"), "utf8");
    expect((await stat(path.join(hermod.dataDir, "smtp-tls.key"))).mode & 0o777).toBe(0o600);
    const tlsPort = Number(/implicit TLS: port (\d+)/.exec(hermod.stdout())?.[1]);
    for (const way of [
      { port, requireTLS: true },
      { port: tlsPort, secure: true },
    ]) {
      const { username: user, password: pass } = hermod.firstRun.smtp;
      const transport = nodemailer.createTransport({
        host: "127.0.0.1",
        auth: { user, pass },
        tls: { ca },
        ...way,
      });
      expect(await transport.verify()).toBe(true);
      transport.close();
    }
  });

  it("counts sessions, messages and failed authentications", async () => {
    const { port, username, password } = hermod.firstRun.smtp;
    await expect(openAuthenticated(port, username, "wrong")).rejects.toThrow(/535 5\.7\.8/);
    const wire = await openAuthenticated(port, username, password);
    expect(await sendBy(wire)).toMatch(/^250 2\.0\.0 queued as sx_/);
    await wire.say("MAIL FROM:<hello@example.com>");
    await wire.say("RCPT TO:<ann@example.net>");
    await wire.say("DATA");
    expect(await wire.say("Subject: x\r\n\r\na\nb\r\n.")).toMatch(/^550 5\.6\.0 /);
    const metrics = await (await fetch(`${hermod.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/hermod_smtp_messages_total\{outcome="accepted",code="250 2\.0\.0"\} 1/);
    expect(metrics).toMatch(/hermod_smtp_messages_total\{outcome="refused",code="550 5\.6\.0"\} 1/);
    expect(metrics).toMatch(/hermod_smtp_auth_failures_total\{reason="credentials"\} 1/);
    expect(metrics).toMatch(/hermod_smtp_sessions [12]\n/);
    wire.close();
  });

  it("refuses a key that is revoked during its session", async () => {
    const { port, username, password } = hermod.firstRun.smtp;
    const wire = await openAuthenticated(port, username, password);
    expect(await sendBy(wire)).toMatch(/^250 /);
    const { keys } = await hermod.core.keys.listKeys({});
    const key = keys.find(({ prefix }) => username.startsWith(prefix));
    await hermod.core.keys.revokeKey({ key: key?.id ?? "" });
    expect(await sendBy(wire)).toMatch(/^535 5\.7\.8 /);
    expect(await sendBy(wire)).toMatch(/^530 5\.7\.0 /);
    wire.close();
  });

  it("has the same certificate after a restart", async () => {
    const certificate = () => readFile(path.join(hermod.dataDir, "smtp-tls.crt"), "utf8");
    const before = await certificate();
    await hermod.stop();
    hermod = await hermod.restart();
    expect(await certificate()).toBe(before);
    expect(hermod.log()).not.toContain(hermod.firstRun.smtp.password);
  });
});

describe("the relay", () => {
  let hermod: Hermod | undefined;
  afterEach(async () => {
    await hermod?.dispose();
    hermod = undefined;
  });

  it("reads a renewed certificate without a restart, and keeps the old one when the new one is invalid", async () => {
    const settings = await newSettings();
    const cert = path.join(settings.HERMOD_DATA_DIR ?? "", "relay.crt");
    const key = path.join(settings.HERMOD_DATA_DIR ?? "", "relay.key");
    const [first, second] = ["first.test", "second.test"].map((subject) => issueCertificate({ subject }));
    await writeFile(key, first?.keyPem ?? "");
    await writeFile(cert, first?.pem ?? "");
    hermod = await startHermod({
      settings: {
        ...(settings as Record<string, string>),
        HERMOD_SMTP_TLS_CERT: cert,
        HERMOD_SMTP_TLS_KEY: key,
      },
    });
    const { port } = hermod.firstRun.smtp;
    const subject = async () => {
      const wire = await openWire(port);
      const secured = await wire.startTls();
      const { CN } = secured.getPeerCertificate().subject;
      wire.close();
      return CN;
    };
    expect(await subject()).toBe("first.test");
    await writeFile(cert, "broken");
    await eventually(async () => hermod?.log().includes("the previous one stays in use") || undefined);
    expect(await subject()).toBe("first.test");
    await writeFile(key, second?.keyPem ?? "");
    await writeFile(cert, second?.pem ?? "");
    await eventually(async () => ((await subject()) === "second.test" ? true : undefined));
  });

  it("without authentication sends mail of this machine, without TLS, with the key of the first run", async () => {
    hermod = await startHermod({ settings: { HERMOD_SMTP_INSECURE_LOOPBACK: "true" } });
    const wire = await openWire(hermod.firstRun.smtp.port);
    expect(await wire.say("EHLO client.test")).not.toContain("AUTH");
    expect(await sendBy(wire)).toMatch(/^250 2\.0\.0 queued as sx_/);
    await wire.startTls();
    await wire.say("EHLO client.test");
    expect(await sendBy(wire)).toMatch(/^250 2\.0\.0 queued as sx_/);
    wire.close();
  });

  it("without authentication does not start if others can reach it", async () => {
    const settings = await newSettings();
    for (const HERMOD_SMTP_HOST of ["", "192.0.2.1"]) {
      const ended = await runToEnd({ ...settings, HERMOD_SMTP_HOST, HERMOD_SMTP_INSECURE_LOOPBACK: "true" });
      expect(ended.code).toBe(2);
      expect(ended.stderr).toMatch(/HERMOD_SMTP_HOST: must be a loopback address/);
    }
    await removeData(settings);
  });
});

describe("a separate relay", () => {
  const token = randomBytes(32).toString("base64url");
  let core: Hermod;
  let smtp: HermodProcess;

  beforeAll(async () => {
    core = await startHermod({
      roles: "core,worker",
      settings: { HERMOD_GRPC_TOKEN: token, HERMOD_GRPC_PORT: String(await freePort()) },
    });
    smtp = await startProcess(
      {
        ...(await newSettings()),
        MONGODB_URL: "",
        HERMOD_GRPC_TOKEN: token,
        HERMOD_GRPC_ADDRESS: core.firstRun.grpc.address,
        HERMOD_CORE_DEADLINE_MS: "1500",
      },
      "smtp",
    );
  });
  afterAll(async () => {
    await smtp.kill();
    await removeData({ HERMOD_DATA_DIR: smtp.env.HERMOD_DATA_DIR } as NodeJS.ProcessEnv);
    await core.dispose();
  });

  it("replies 451 and 454 while the core is unavailable, keeps its sessions, and ends orderly", async () => {
    const port = Number(/SMTP +127\.0\.0\.1:(\d+)/.exec(smtp.stdout())?.[1]);
    const { username, password } = core.firstRun.smtp;
    const wire = await openAuthenticated(port, username, password);
    expect(await sendBy(wire)).toMatch(/^250 /);
    await core.kill();
    expect(await sendBy(wire)).toMatch(/^451 4\.3\.0 /);
    await expect(openAuthenticated(port, username, password)).rejects.toThrow(/^454 4\.7\.0 /);
    core = await core.restart();
    await eventually(async () => ((await sendBy(wire)).startsWith("250") ? true : undefined));
    expect(await smtp.stop()).toBe(0);
    await wire.ended;
    expect(wire.heard()).toMatch(/^421 4\.3\.2 /);
  });
});
