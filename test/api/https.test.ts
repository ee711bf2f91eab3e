import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { email } from "../harness/http.ts";
import { ask, openHttp2, sendHead } from "../harness/http2-client.ts";
import { makeCertificates } from "../harness/make-certificates.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { startTestEdge, type TestEdge } from "../harness/test-edge.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const curl = tool("curl");
const goodBody = JSON.stringify(email());

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-https-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The common name of the certificate for new connections. */
async function shownSubject(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

describe("with a certificate of its own", () => {
  let hermod: Hermod;
  let ca: string;
  let caFile: string;
  let url: string;

  beforeAll(async () => {
    const { ca: file, server } = await makeCertificates(folder);
    caFile = file;
    ca = await readFile(file, "utf8");
    hermod = await startHermod({
      settings: { HERMOD_HTTP_TLS_CERT: server.cert, HERMOD_HTTP_TLS_KEY: server.key },
    });
    url = hermod.firstRun.base_url;
  });
  afterAll(() => hermod.dispose());

  it("the API has HTTPS in all its addresses", async () => {
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(hermod.stdout()).toContain(`API        ${url}   (documentation: ${url}/docs)`);
    expect(hermod.stdout()).toContain(`curl ${url}/v1/email/send`);
    expect(await (await fetch(hermod.firstRun.admin.sandbox_url)).text()).toContain(
      `curl ${url}/v1/email/send`,
    );
    // The rest uses no TLS.
    expect(hermod.adminUrl).toMatch(/^http:/);
    expect(hermod.log()).not.toContain('"level":"warn","msg":"HERMOD_');
  });

  it("a message is accepted by HTTP/2 and by HTTP/1.1", async () => {
    const session = await openHttp2(url, ca);
    const { accepted, headers } = await ask(session, sendHead(hermod.firstRun.api_key), goodBody).answer.then(
      ({ body, ...answer }) => ({ ...answer, accepted: JSON.parse(body) }),
    );
    expect(accepted).toMatchObject({ status: "queued", recipient: "ada@example.org" });
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    const refused = ask(session, sendHead(hermod.firstRun.api_key), "{");
    expect((await refused.answer).status).toBe(400);
    session.destroy();
    // Node.js would warn of headers that HTTP/2 forbids.
    const lines = hermod.log().trim().split("\n");
    expect(lines.filter((line) => !line.startsWith("{"))).toEqual([]);

    const key = { "x-api-key": hermod.firstRun.api_key, "content-type": "application/json" };
    const request = https.request(`${url}/v1/send`, { method: "POST", ca, headers: key }).end(goodBody);
    const [answer] = await once(request, "response");
    answer.resume();
    expect([answer.statusCode, answer.headers["strict-transport-security"]]).toEqual([
      202,
      "max-age=31536000",
    ]);
  });

  it("an invalid HTTP/1.1 request is answered as without TLS", async () => {
    const { hostname, port } = new URL(url);
    const socket = tls.connect({ host: hostname, port: Number(port), ca });
    socket.end("hello\r\n\r\n");
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"request.malformed"');
    expect(answer).toContain("\r\nStrict-Transport-Security: max-age=31536000\r\n");
  });

  it.skipIf(curl.missing)(`curl works with both${curl.note}`, async () => {
    for (const [version, option] of [
      ["2", "--http2"],
      ["1.1", "--http1.1"],
    ] as const) {
      const { stdout } = await run("curl", [
        ...["--silent", "--show-error", option, "--cacert", caFile, `${url}/v1/send`],
        ...["-H", `X-API-Key: ${hermod.firstRun.api_key}`, "-H", "Content-Type: application/json"],
        ...["-H", "Expect: 100-continue", "-d", goodBody, "--write-out", "\\n%{http_version} %{http_code}"],
      ]);
      expect(stdout.split("\n")[1]).toBe(`${version} 202`);
    }
    const told = await run("curl", ["--silent", `${url.replace("https:", "http:")}/docs`]);
    expect(told.stdout).toContain("This port speaks HTTPS");
  });

  it("the command line and the health check of a container still work", async () => {
    const cli = ["bin/hermod.js", "message", "list", "--json"];
    const { stdout } = await run(process.execPath, cli, { env: hermod.env });
    expect(JSON.parse(stdout).data.length).toBeGreaterThan(0);
    const env = { ...hermod.env, HERMOD_ADMIN_PORT: new URL(hermod.adminUrl).port };
    await run(process.execPath, ["scripts/healthcheck.js", "/readyz"], { env });
  });

  it("the OpenAPI document has the address from which it was fetched", async () => {
    const session = await openHttp2(url, ca);
    const { body } = await ask(session, { ":path": "/openapi.json" }).answer;
    expect(JSON.parse(body).servers).toMatchObject([{ url: "/" }]);
    session.destroy();
  });
});

describe("SIGTERM", () => {
  it("finishes an HTTP/2 request in progress", async () => {
    const { ca, server } = await makeCertificates(folder);
    const settings = { HERMOD_HTTP_TLS_CERT: server.cert, HERMOD_HTTP_TLS_KEY: server.key };
    const hermod = await startHermod({ settings });
    try {
      const session = await openHttp2(hermod.firstRun.base_url, await readFile(ca, "utf8"));
      const { stream, answer } = ask(session, sendHead(hermod.firstRun.api_key), null);
      stream.write(goodBody.slice(0, 10));
      // After this answer, the server knows of the other request.
      await ask(session, { ":path": "/docs" }).answer;
      const goaway = once(session, "goaway");
      const stopped = hermod.stop();
      await goaway;
      stream.end(goodBody.slice(10));
      expect((await answer).status).toBe(202);
      expect(await stopped).toBe(0);
    } finally {
      await hermod.dispose();
    }
  });
});

describe("a certificate that changes", () => {
  let hermod: Hermod | undefined;
  afterEach(async () => {
    await hermod?.dispose();
    hermod = undefined;
  });

  it("is used for new connections; existing ones stay, and an invalid new certificate is ignored", async () => {
    const files = { cert: path.join(folder, "http.crt"), key: path.join(folder, "http.key") };
    const certificateOf = (subject: string, notAfter?: Date) =>
      issueCertificate({ subject, addresses: ["127.0.0.1"], ...(notAfter && { notAfter }) });
    const [first, second, expired] = [
      certificateOf("first.test"),
      certificateOf("second.test"),
      certificateOf("expired.test", new Date(Date.now() - 1_000)),
    ];
    await writeFile(files.key, first.keyPem);
    await writeFile(files.cert, first.pem);
    hermod = await startHermod({
      settings: { HERMOD_HTTP_TLS_CERT: files.cert, HERMOD_HTTP_TLS_KEY: files.key },
    });
    const url = hermod.firstRun.base_url;
    const session = await openHttp2(url, first.pem);
    const upload = ask(session, sendHead(hermod.firstRun.api_key), null);
    upload.stream.write(goodBody.slice(0, 10));
    expect(await shownSubject(url)).toBe("first.test");

    await writeFile(files.cert, "broken");
    await eventually(async () => hermod?.log().includes("the previous one stays in use") || undefined);
    expect(await shownSubject(url)).toBe("first.test");

    await writeFile(files.key, second.keyPem);
    await writeFile(files.cert, second.pem);
    await eventually(async () => ((await shownSubject(url)) === "second.test" ? true : undefined));
    upload.stream.end(goodBody.slice(10));
    expect((await upload.answer).status).toBe(202);
    session.destroy();
    await expect(
      new Promise((_resolve, reject) =>
        tls
          .connect({
            host: "127.0.0.1",
            port: Number(new URL(url).port),
            ca: second.pem,
            minVersion: "TLSv1",
            maxVersion: "TLSv1.1",
            ciphers: "DEFAULT@SECLEVEL=0",
          })
          .once("error", reject),
      ),
    ).rejects.toMatchObject({ code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });

    await writeFile(files.key, expired.keyPem);
    await writeFile(files.cert, expired.pem);
    await eventually(
      async () => hermod?.log().includes("certificate of the HTTP API has expired") || undefined,
    );
    expect(await shownSubject(url)).toBe("expired.test");
  });

  it("that is expired or for another name does not prevent a start", async () => {
    const { pem, keyPem } = issueCertificate({
      subject: "mail.example.com",
      names: ["mail.example.com"],
      notAfter: new Date(Date.now() - 1_000),
    });
    const files = { cert: path.join(folder, "old.crt"), key: path.join(folder, "old.key") };
    await writeFile(files.cert, pem);
    await writeFile(files.key, keyPem);
    hermod = await startHermod({
      settings: { HERMOD_HTTP_TLS_CERT: files.cert, HERMOD_HTTP_TLS_KEY: files.key },
    });
    expect(await shownSubject(hermod.firstRun.base_url)).toBe("mail.example.com");
    expect(hermod.log()).toContain("certificate of the HTTP API has expired");
    expect(hermod.log()).toContain("HERMOD_HTTP_TLS_CERT is not for 127.0.0.1: set HERMOD_BASE_URL");
  });
});

describe("behind a proxy", () => {
  let edge: TestEdge | undefined;
  afterEach(() => edge?.close());

  it.each([
    { is: "that is trusted, by HTTPS", trustedProxies: ["127.0.0.1"], protocol: "https", told: true },
    { is: "that is trusted, by HTTP", trustedProxies: ["127.0.0.1"], protocol: "http", told: false },
    { is: "that is not trusted", trustedProxies: [], protocol: "https", told: false },
    { is: "that says nothing", trustedProxies: ["127.0.0.1"], protocol: "", told: false },
  ])("$is, clients get Strict-Transport-Security: $told", async ({ trustedProxies, protocol, told }) => {
    edge = await startTestEdge({ isSecure: false, trustedProxies });
    for (const at of ["/docs", "/v1/nothing", "/openapi.json"]) {
      const { headers } = await fetch(edge.url + at, { headers: { "x-forwarded-proto": protocol } });
      expect(headers.get("strict-transport-security")).toBe(told ? "max-age=31536000" : null);
    }
  });
});
