import { gzipSync } from "node:zlib";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dmarcReport, dmarcRow, writeDmarc } from "../harness/dmarc-reports.ts";
import { openSmtpSession } from "../harness/smtp-session.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const DAY_MS = 86_400_000;
const NAME = "acme-shop.com";

let hermod: Hermod;
let id: string;
let address: string;

beforeAll(async () => {
  hermod = await startHermod({
    settings: {
      HERMOD_BOUNCE_DOMAIN: "bounce.example.com",
      HERMOD_BOUNCE_HOST: "127.0.0.1",
      HERMOD_BOUNCE_PORT: String(await freePort()),
      HERMOD_MESSAGE_MAX_BYTES: "2000000",
    },
  });
  const { client } = await hermod.core.workspaces.createClient({ settings: { name: "Acme" } });
  const settings = { paused: true };
  const { domain } = await hermod.core.watches.addWatchedDomain({
    clientId: client?.id ?? "",
    name: NAME,
    settings,
  });
  id = domain?.id ?? "";
  address = domain?.dmarcReportAddress ?? "";
});
afterAll(() => hermod.dispose());

let counter = 0;

function reportFile(rows = 1): Buffer {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const report = dmarcReport({
    begin: new Date(today - DAY_MS),
    end: new Date(today - 1_000),
    policy: { ...dmarcReport().policy, domain: NAME },
    reportId: `report ${counter++}`,
    rows: Array.from({ length: rows }, (_, at) => dmarcRow({ sourceIp: `192.0.2.${at % 256}` })),
  });
  return Buffer.from(writeDmarc(report));
}

/** As reporters send it, to the bounce port; resolves to the reply. */
async function deliver(
  to: string | string[],
  file: Buffer,
  from = "dmarc@receiver.example",
): Promise<string> {
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: Number(hermod.env.HERMOD_BOUNCE_PORT),
    tls: { rejectUnauthorized: false },
  });
  try {
    const attachments = [{ filename: "report.xml.gz", content: file }];
    const mail = { envelope: { from, to }, from, to, subject: "Report", text: "See below.", attachments };
    return (await transport.sendMail(mail)).response;
  } catch (error) {
    return (error as { response?: string }).response ?? String(error);
  } finally {
    transport.close();
  }
}

const inbox = () => hermod.core.watches.getReportInbox({ id });

describe("a mail to the address of a watched domain", () => {
  it("is answered with 250 once its reports are counted, and counts once", async () => {
    const before = await inbox();
    const file = gzipSync(reportFile());
    expect(await deliver(address, file)).toMatch(/^250 /);
    expect(await inbox()).toMatchObject({ dmarc: before.dmarc + 1 });
    expect(await deliver(address.toUpperCase(), file)).toMatch(/^250 /);
    expect(await inbox()).toMatchObject({ dmarc: before.dmarc + 1, repeated: before.repeated + 1 });
    const { domain } = await hermod.core.watches.getWatchedDomain({ id });
    expect(domain?.reportedAt).toBeDefined();
  });

  it("is accepted if it is unreadable, so that no bounce is sent, and is recorded", async () => {
    const before = await inbox();
    expect(await deliver(address, gzipSync("<feedback>"), "")).toMatch(/^250 /);
    const { refused, refusals } = await inbox();
    expect(refused).toBe(before.refused + 1);
    expect(refusals[0]).toMatchObject({
      via: "mail",
      sender: "",
      reason: expect.stringMatching(/could not be read/),
    });
  });

  it("may be larger than a message", async () => {
    const before = await inbox();
    expect(await deliver(address, reportFile(4_000))).toMatch(/^250 /);
    expect(await inbox()).toMatchObject({ dmarc: before.dmarc + 1 });
  });

  it("has at most 25 MB", async () => {
    const session = await openSmtpSession(Number(hermod.env.HERMOD_BOUNCE_PORT));
    expect(await session.say("EHLO mx.example.net")).toMatch(/SIZE 26214400/);
    expect(await session.say("MAIL FROM:<> SIZE=26214401")).toMatch(/^552 /);
    session.close();
    expect(await deliver(address, Buffer.alloc(20 * 1024 * 1024, "\u00e9"))).toMatch(/^552 5\.3\.4 /);
  });

  it("requires the signature", async () => {
    const wrong = address.replace(/-[0-9a-f]/, (end) => (end === "-0" ? "-1" : "-0"));
    for (const other of [wrong, "dmarc@bounce.example.com", `dmarc+${id}@bounce.example.com`])
      expect(await deliver(other, gzipSync(reportFile()))).toMatch(/^550 5\.1\.1 /);
  });

  it("is refused after the domain is no longer watched", async () => {
    await hermod.core.watches.removeWatchedDomain({ id });
    expect(await deliver(address, gzipSync(reportFile()))).toMatch(/^550 5\.1\.1 /);
  });
});
