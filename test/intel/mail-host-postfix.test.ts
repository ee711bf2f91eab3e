import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AddressProbe } from "../../src/intel/mail-host-probe/mail-host-probe.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { type Certificate, certificateOf, pemOf, probeOf } from "../harness/mail-server.ts";
import { type Postfix, startPostfix } from "../harness/postfix.ts";
import { eventually } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";

const installed = tool("postfix");
const HOST = "mx.postfix.test";

describe.skipIf(installed.missing)(`a probe of Postfix${installed.note}`, () => {
  let folder: string;
  const running: Postfix[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hermod-postfix-certificates-"));
  });
  afterAll(async () => {
    await Promise.all(running.map((postfix) => postfix.dispose()));
    await rm(folder, { recursive: true, force: true });
  });

  async function check(number: number, settings: Record<string, string>): Promise<AddressProbe> {
    const address = `127.0.4.${number}`;
    const port = await freePort();
    const postfix = await startPostfix({ address, port, domain: "postfix.test", mailboxes: "ada", settings });
    running.push(postfix);
    const { addresses } = await probeOf(port)({ name: HOST, ipv4: [address], ipv6: [] });
    const [seen] = addresses;
    if (!seen) throw new Error("nothing was seen");
    // In every case Postfix received QUIT and no unknown command.
    const end = await eventually(async () => (await postfix.logged(" ehlo=")).at(0));
    expect(end).toMatch(/ehlo=\d (?:starttls=\S+ )?quit=1 commands=\S+$/);
    return seen;
  }

  async function certified(number: number, certificate: Certificate, settings: Record<string, string> = {}) {
    const file = path.join(folder, `${number}.pem`);
    await writeFile(file, `${certificate[0].keyPem}${pemOf(certificate)}`, { mode: 0o600 });
    const seen = await check(number, {
      smtpd_tls_cert_file: file,
      smtpd_tls_key_file: file,
      ...settings,
    });
    if (seen.outcome !== "answered" || seen.startTls.kind !== "works") throw new Error(JSON.stringify(seen));
    return seen.startTls.tls;
  }

  it("detects a valid certificate", async () => {
    const certificate = certificateOf(HOST);
    const { untrusted, ...seen } = await certified(1, certificate);
    expect(untrusted).toBeUndefined();
    expect(seen).toMatchObject({
      protocol: "TLSv1.3",
      certificates: certificate.map(({ der }) => der),
      certificate: { names: [HOST] },
    });
  });

  it("detects an expired certificate", async () => {
    const { untrusted, certificate } = await certified(2, certificateOf(HOST, { from: -90, to: -1 }));
    expect([untrusted, certificate.validTo < new Date()]).toEqual([undefined, true]);
  });

  it("detects a certificate with another name", async () => {
    const { untrusted, certificate } = await certified(3, certificateOf("other.test"));
    expect([untrusted, certificate.names]).toEqual([undefined, ["other.test"]]);
  });

  it("detects a self-signed certificate", async () => {
    const { untrusted, certificate } = await certified(4, [
      issueCertificate({ subject: HOST, names: [HOST] }),
    ]);
    expect([untrusted, certificate.isSelfSigned]).toEqual(["DEPTH_ZERO_SELF_SIGNED_CERT", true]);
  });

  it("detects an outdated TLS version", async () => {
    const { protocol } = await certified(5, certificateOf(HOST), { smtpd_tls_protocols: "TLSv1.2" });
    expect(protocol).toBe("TLSv1.2");
  });

  it("detects that STARTTLS is disabled", async () => {
    expect(await check(6, { smtpd_tls_security_level: "none" })).toMatchObject({
      outcome: "answered",
      greeting: `220 ${HOST} ESMTP Postfix`,
      startTls: { kind: "not_offered", isMasked: false },
    });
  });

  it("detects that STARTTLS is offered without a key", async () => {
    const settings = { smtpd_tls_cert_file: "/nowhere.pem", smtpd_tls_key_file: "/nowhere.pem" };
    expect(await check(7, settings)).toMatchObject({
      outcome: "answered",
      startTls: { kind: "refused", reason: "454 4.7.0 TLS not available due to local problem" },
    });
  });
});
