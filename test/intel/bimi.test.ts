import { randomInt, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { checkBimi } from "../../src/intel/bimi/check-bimi.ts";
import { createFetchMark } from "../../src/intel/bimi/fetch-mark.ts";
import { readLogotype } from "../../src/intel/bimi/read-logotype.ts";
import type { DomainRole } from "../../src/intel/catalogue.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { daysFromNow, publicCa } from "../harness/mail-server.ts";
import { MARK_IMAGE, markAuthority, markPem } from "../harness/mark-certificate.ts";
import { type MarkAnswer, type MarkServer, startMarkServer } from "../harness/mark-server.ts";
import { IMPATIENT, probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

let server: DnsServer;
let marks: MarkServer;
beforeAll(async () => {
  [server, marks] = await Promise.all([startDnsServer(), startMarkServer("web.test")]);
});
afterAll(() => Promise.all([server.close(), marks.close()]));
beforeEach(() => marks.serve(WELL));

interface Look {
  readonly role?: DomainRole | undefined;
  readonly domain?: string | undefined;
  readonly allowPrivate?: boolean;
  readonly timeoutMs?: number;
}

/** Runs the check. URLs of records lead to the server of the marks. */
async function check(zones: DnsZones, look: Look = {}) {
  const { role = "sending", domain = "example.com", allowPrivate = true, timeoutMs = 20_000 } = look;
  const served = Object.entries(zones).map(([name, { TXT, ...rest }]) => {
    const texts = TXT?.map((text) => String(text).replaceAll("web.test", `web.test:${marks.port}`));
    return [name, { ...rest, ...(texts && { TXT: texts }) }];
  });
  const dns = probeZones(
    server,
    { "web.test": { A: ["127.0.0.1"] }, ...Object.fromEntries(served) },
    IMPATIENT,
  );
  const resolver = createResolver({ servers: [server.address], clock: systemClock });
  const refuse = createRefuseDestination({ allowPrivate, ownAddresses: [] });
  const fetching = { resolver, refuse, ipv6: false, extraCa: publicCa.pem, timeoutMs };
  const results = await checkBimi({
    domain,
    role,
    dns,
    clock: systemClock,
    fetchMark: createFetchMark({ ...fetching, clock: systemClock }),
  });
  return results.map(withParts);
}

const IMAGE = "/a.svg";
const CERTIFICATE = "/a.pem";
const WELL = { [IMAGE]: MARK_IMAGE, [CERTIFICATE]: markPem() };
const GOOD = "v=BIMI1; l=https://web.test/a.svg; a=https://web.test/a.pem; avp=brand; lps=x";
const bimi = (...TXT: string[]): DnsZones => ({ "default._bimi.example.com": { TXT } });
const dmarc = (text: string): DnsZones => ({ "_dmarc.example.com": { TXT: [text] } });
const REJECT = dmarc("v=DMARC1; p=reject");
const enforced = (...texts: string[]): DnsZones => ({ ...bimi(...texts), ...REJECT });

type Row = [what: string, zones: DnsZones, status: CheckStatus, role?: DomainRole, domain?: string];
const ROWS: readonly Row[] = [
  ["a record", enforced(GOOD), "pass"],
  ["a record with a certificate missing", enforced("v=BIMI1; l=https://web.test/a.svg"), "pass"],
  ["a record that has something else beside it", enforced("x", "v=bimi1; l=", GOOD), "pass"],
  ["a record of the organisational domain", enforced(GOOD), "pass", "sending", "mail.example.com"],
  ["quarantine", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=quarantine; pct=100") }, "pass"],
  ["a domain that declines", bimi("v=BIMI1; l=; a="), "pass"],
  ["none", REJECT, "not_tested"],
  ["another version", enforced("v=BIMI2; l=https://example.com/a.svg"), "not_tested"],
  ["a parked domain", enforced(GOOD), "not_tested", "parked"],
  ["two records", enforced(GOOD, GOOD), "fail"],
  ["no l", enforced("v=BIMI1; a=https://example.com/a.pem"), "fail"],
  ["a tag twice", enforced("v=BIMI1; l=https://a.test/a.svg; l=https://b.test/a.svg"), "fail"],
  ["an image without TLS", enforced("v=BIMI1; l=http://example.com/a.svg"), "fail"],
  ["a certificate that is no address", enforced("v=BIMI1; l=https://example.com/a.svg; a=self"), "fail"],
  ["no DMARC", bimi(GOOD), "warn"],
  ["DMARC that asks for nothing", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=none") }, "warn"],
  ["DMARC in test mode", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=reject; t=y") }, "warn"],
  [
    "DMARC that asks for nothing of subdomains",
    { ...bimi(GOOD), ...dmarc("v=DMARC1; p=reject; sp=none") },
    "warn",
  ],
  ["DMARC for a part of the mail", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=quarantine; pct=50") }, "warn"],
  ["DMARC that receivers do not use", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=x") }, "warn"],
  ["SERVFAIL", { "default._bimi.example.com": { behaviour: "servfail" } }, "error"],
  ["no answer", { "default._bimi.example.com": { behaviour: "drop" } }, "error"],
  ["REFUSED", { "default._bimi.example.com": { behaviour: "refused" } }, "error"],
  ["no more than a piece", { "default._bimi.example.com": { behaviour: "truncate_always" } }, "error"],
  ["no answer about DMARC", { ...bimi(GOOD), "_dmarc.example.com": { behaviour: "servfail" } }, "error"],
  [
    "no answer about who the organisation is",
    { "_dmarc.example.com": { behaviour: "refused" } },
    "error",
    "sending",
    "mail.example.com",
  ],
];

describe("the BIMI record", () => {
  it.each<Row>(ROWS)("%s", async (_, zones, status, role, domain) => {
    const [found, ...others] = await check(zones, { role, domain });
    expect(others).toEqual([]);
    expect(found, JSON.stringify(found)).toMatchObject({ id: "reputation.bimi", status });
    expect(found?.observed).toMatch(/\.$/);
    if (status === "fail" || status === "warn") expect(found?.fix?.text).toBeTruthy();
    else expect(found?.fix).toBeUndefined();
  });

  it("is shown with the DMARC record that it needs", async () => {
    const [found] = await check(enforced(GOOD));
    expect(found?.evidence).toMatchObject([
      { name: "default._bimi.example.com", ttlSeconds: 300 },
      { name: "_dmarc.example.com", data: ['"v=DMARC1; p=reject"'] },
      { name: "_dmarc.com" },
      { name: `https://web.test:${marks.port}/a.svg`, type: "HTTPS", server: `web.test:${marks.port}` },
      { name: `https://web.test:${marks.port}/a.pem`, data: expect.arrayContaining(["names: example.com"]) },
    ]);
  });
});

const svg = (inside: string, attributes = 'version="1.2" baseProfile="tiny-ps"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;
const TITLE = "<title>Example</title>";

describe("the image of a mark", () => {
  const ONLY_IMAGE = enforced("v=BIMI1; l=https://web.test/a.svg");
  const evaluate = async (answer: MarkAnswer, look?: Look) => {
    marks.serve({ [IMAGE]: answer });
    const [found] = await check(ONLY_IMAGE, look);
    return found;
  };

  it.each<[string, string | Buffer]>([
    ["is as it should be", svg(`${TITLE}<path d="M0 0"/>`)],
    [
      "has a declaration, comments and a mark of byte order",
      `\ufeff<?xml version="1.0"?><!-- a -->${svg(TITLE)}`,
    ],
    ["is compressed", gzipSync(svg(TITLE))],
    [
      "has a prefix for its elements",
      '<s:svg xmlns:s="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps"><s:title>a</s:title></s:svg>',
    ],
    [
      "refers to itself",
      svg(`${TITLE}<use xlink:href="#a"/><path fill="url(#b)"/><path style="fill:url('#b')"/>`),
    ],
  ])("%s", async (_, image) => {
    expect(await evaluate(image)).toMatchObject({ status: "pass" });
  });

  it.each<[string, string | Buffer, string]>([
    ["is no XML", "no", "XML is invalid"],
    ["is empty", "", "XML is invalid"],
    ["is cut off", svg(TITLE).slice(0, -3), "XML is invalid"],
    ["is HTML", "<html><title>a</title></html>", "not an SVG"],
    ["has another profile", svg(TITLE, 'version="1.2" baseProfile="tiny"'), "baseProfile"],
    ["has another version", svg(TITLE, 'version="1.1" baseProfile="tiny-ps"'), "version"],
    ["has no title", svg("<g><title>a</title></g>"), "title"],
    ["has an empty title", svg("<title> </title>"), "title"],
    ["has a place for its root", svg(TITLE, 'version="1.2" baseProfile="tiny-ps" x="0"'), "x or y"],
    ["has a script", svg(`${TITLE}<g><script>alert(1)</script></g>`), "script"],
    ["moves", svg(`${TITLE}<rect><animate/></rect>`), "animate"],
    ["has a picture", svg(`${TITLE}<image href="#a"/>`), "image"],
    ["has another document in it", svg(`${TITLE}<foreignObject/>`), "foreignObject"],
    ["has handlers of events", svg(`${TITLE}<rect onclick="a()"/>`), "onclick"],
    [
      "refers to another place",
      svg(`${TITLE}<use xlink:href="https://web.test/x.svg#a"/>`),
      "external reference",
    ],
    [
      "refers to another place by its style",
      svg(`${TITLE}<rect style="fill: url(https://web.test/)"/>`),
      "external reference",
    ],
    ["takes in another style", svg(`${TITLE}<style>@import "https://web.test/";</style>`), "style"],
    [
      "has a style sheet of another place",
      `<?xml-stylesheet href="https://web.test/"?>${svg(TITLE)}`,
      "instructions",
    ],
    ["has a document type", `<!DOCTYPE svg>${svg(TITLE)}`, "DOCTYPE"],
    [
      "has entities that double each other",
      `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;&a;">]>${svg("<title>&b;</title>")}`,
      "DOCTYPE",
    ],
    ["is nested deeper than anything", svg(TITLE + "<g>".repeat(500) + "</g>".repeat(500)), "refused"],
    ["has more elements than anything", svg(TITLE + "a<g/>".repeat(20_000)), "10000 tags"],
    ["has the name of a prototype", svg(`${TITLE}<__proto__ a="b"/>`), "refused"],
    ["is larger than anybody takes", svg(TITLE + " ".repeat(300 * 1024)), "larger than 256 KB"],
    ["is a bomb", gzipSync(Buffer.alloc(50 * 1024 * 1024)), "larger than 256 KB"],
    ["has broken compression", gzipSync(svg(TITLE)).subarray(0, 40), "compressed data is damaged"],
  ])("%s: fail", async (_, image, observed) => {
    const found = await evaluate(image);
    expect(found, JSON.stringify(found).slice(0, 2_000)).toMatchObject({ status: "fail" });
    expect(found?.observed).toContain(observed);
    expect(found?.observed.length).toBeLessThan(2_000);
    expect(found?.fix?.text).toBeTruthy();
  });

  it("warns about a size that some receivers reject", async () => {
    const found = await evaluate(svg(TITLE + " ".repeat(33 * 1024)));
    expect(found).toMatchObject({ status: "warn", observed: expect.stringContaining("32768") });
  });

  it.each<[string, MarkAnswer, CheckStatus]>([
    ["is not there", (response) => response.writeHead(404).end(), "fail"],
    ["is there no more", (response) => response.writeHead(410).end(), "fail"],
    ["is kept from us", (response) => response.writeHead(403).end(), "error"],
    ["comes too often", (response) => response.writeHead(429).end(), "error"],
    ["is on a server that fails", (response) => response.writeHead(500).end(), "error"],
    ["is on a server that hangs up", (response) => response.destroy(), "error"],
    [
      "comes in an encoding that was not asked for",
      (response) => response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync(MARK_IMAGE)),
      "error",
    ],
    ["breaks off", (response) => response.write("<svg", () => response.destroy()), "error"],
  ])("%s", async (_, answer, status) => {
    const found = await evaluate(answer);
    expect(found, JSON.stringify(found)).toMatchObject({ status });
    expect(found?.evidence.at(-1)).toMatchObject({
      type: "HTTPS",
      rcode: "ERROR",
      reason: expect.any(String),
    });
  });

  it("is decompressed even if compression was not requested", async () => {
    const answer: MarkAnswer = (response) =>
      response
        .writeHead(200, { "content-encoding": "gzip", "content-type": "image/svg+xml" })
        .end(gzipSync(svg(TITLE)));
    const found = await evaluate(answer);
    expect(found).toMatchObject({ status: "pass" });
    expect(found?.evidence.at(-1)?.data).toEqual([`${svg(TITLE).length} octets`, "image/svg+xml"]);
  });

  it("is fetched within the time limit", async () => {
    const found = await evaluate((response) => void response.write("<svg"), { timeoutMs: 100 });
    expect(found).toMatchObject({ status: "error", observed: expect.stringContaining("0.1 seconds") });
  });

  it("without an end is read up to the limit", async () => {
    let closed: Promise<unknown> | undefined;
    const found = await evaluate((response) => {
      closed = once(response, "close");
      const more = () => response.write(Buffer.alloc(64 * 1024, "a"), () => !response.destroyed && more());
      more();
    });
    expect(found).toMatchObject({ status: "fail", observed: expect.stringContaining("larger than 256 KB") });
    await closed;
  });

  it.each<[string, string, CheckStatus]>([
    ["another path", "/b.svg", "pass"],
    ["itself", "/a.svg", "error"],
    ["plain HTTP", "http://web.test/b.svg", "error"],
    ["a private address", "https://10.0.0.1/b.svg", "fail"],
    ["nowhere", "http://", "error"],
  ])("with a redirect to %s", async (_, location, status) => {
    marks.serve({
      "/a.svg": (response) => response.writeHead(302, { location }).end(),
      "/b.svg": MARK_IMAGE,
    });
    const inside = (address: string) => (address.startsWith("10.") ? ("not_public" as const) : undefined);
    const resolver = createResolver({ servers: [server.address], clock: systemClock });
    server.serve({ "web.test": { A: ["127.0.0.1"] } });
    const fetching = { resolver, refuse: inside, ipv6: false, extraCa: publicCa.pem };
    const fetchMark = createFetchMark({ ...fetching, clock: systemClock });
    const { kind } = await fetchMark(new URL(`https://web.test:${marks.port}/a.svg`), "image");
    expect({ body: "pass", wrong: "fail", unknown: "error" }[kind]).toBe(status);
  });

  it("is never fetched from a private address", async () => {
    const found = await evaluate(MARK_IMAGE, { allowPrivate: false });
    expect(found).toMatchObject({ status: "fail", observed: expect.stringContaining("no address that may") });
    expect(marks.requests).toEqual([]);
  });

  it("on a host with a failed DNS lookup is an error", async () => {
    const [found] = await check({ ...ONLY_IMAGE, "web.test": { behaviour: "servfail" } });
    expect(found).toMatchObject({ status: "error" });
  });

  it("on a host with an untrusted certificate is an error", async () => {
    const [found] = await check({
      ...enforced("v=BIMI1; l=https://other.test/a.svg".replace("other.test", `other.test:${marks.port}`)),
      "other.test": { A: ["127.0.0.1"] },
    });
    expect(found).toMatchObject({ status: "error" });
  });

  it("that cannot be fetched hides no known fault", async () => {
    marks.serve({ [IMAGE]: (response) => response.writeHead(500).end() });
    const [found] = await check(bimi("v=BIMI1; l=https://web.test/a.svg"));
    expect(found).toMatchObject({ status: "warn", observed: expect.stringContaining("DMARC") });
  });
});

describe("the certificate of a mark", () => {
  const evaluate = async (pem: MarkAnswer, domain?: string) => {
    marks.serve({ [IMAGE]: MARK_IMAGE, [CERTIFICATE]: pem });
    const [found] = await check(enforced(GOOD), { domain });
    return found;
  };
  const other = Buffer.from(svg("<title>Other</title>"));

  it.each<[string, string, string?]>([
    ["is as it should be", markPem()],
    ["has the selector in its name", markPem({ names: ["default._bimi.example.com"] })],
    ["is that of the organisation", markPem(), "mail.example.com"],
    ["is for several domains", markPem({ names: ["example.net", "EXAMPLE.com"] })],
    ["comes with words between", `subject=x\n${markPem().replaceAll("\n", "\r\n")}`],
    ["has a digest of its image as it is compressed", markPem({ digestOf: gzipSync(MARK_IMAGE) })],
  ])("%s", async (_, pem, domain) => {
    expect(await evaluate(pem, domain)).toMatchObject({ status: "pass" });
  });

  it.each<[string, MarkAnswer, CheckStatus, string]>([
    ["is none", "no", "fail", "no PEM certificate"],
    ["is one in DER", Buffer.from([0x30, 0x82, 0, 0]), "fail", "no PEM certificate"],
    ["is cut off", markPem().slice(0, 300), "fail", "no PEM certificate"],
    ["has expired", markPem({ notAfter: daysFromNow(-1) }), "fail", "expired"],
    ["is not valid yet", markPem({ notBefore: daysFromNow(2) }), "fail", "not valid before"],
    ["expires soon", markPem({ notAfter: daysFromNow(20) }), "warn", "expires on"],
    [
      "is for another domain",
      markPem({ names: ["example.net"] }),
      "fail",
      "example.net, not for example.com",
    ],
    ["is for any domain", markPem({ names: ["*.com"] }), "fail", "not for example.com"],
    ["is for a domain below", markPem({ names: ["mail.example.com"] }), "fail", "not for example.com"],
    ["is for no domain", markPem({ names: [] }), "fail", "no domain"],
    ["is none for marks", markPem({ purpose: "1.3.6.1.5.5.7.3.1" }), "fail", "extended key usage"],
    ["is followed by no authority", markPem({ isAlone: true }), "fail", "does not follow"],
    ["has issued itself", markPem({ isSelfSigned: true, isAlone: true }), "fail", "self-signed"],
    ["stands behind its authority", `${markAuthority.pem}${markPem()}`, "fail", "must come first"],
    ["has no image", markPem({ image: null }), "fail", "logotype"],
    ["has another image", markPem({ image: other }), "warn", "differs from the image of the record"],
    ["has the digest of another image", markPem({ digestOf: other }), "fail", "digest"],
    [
      "has an image that is a bomb",
      markPem({ image: Buffer.alloc(10 * 1024 * 1024) }),
      "fail",
      "cannot be read",
    ],
    ["is longer than anything", markPem().repeat(800), "fail", "larger than 1024 KB"],
    [
      "is a beginning again and again",
      "-----BEGIN CERTIFICATE-----".repeat(38_000),
      "fail",
      "no PEM certificate",
    ],
    ["is not there", (response) => response.writeHead(404).end(), "fail", "answered 404"],
    ["cannot be fetched", (response) => response.writeHead(503).end(), "error", "answered 503"],
  ])("%s", async (_, pem, status, observed) => {
    const found = await evaluate(pem);
    expect(found, JSON.stringify(found).slice(0, 2_000)).toMatchObject({ status });
    expect(found?.observed).toContain(observed);
    if (status !== "error") expect(found?.fix?.text).toBeTruthy();
  });

  it("is not compared with an image that could not be fetched", async () => {
    marks.serve({
      [IMAGE]: (response) => response.writeHead(500).end(),
      [CERTIFICATE]: markPem({ image: other }),
    });
    const [found] = await check(enforced(GOOD));
    expect(found).toMatchObject({ status: "error", observed: expect.stringContaining("image") });
  });
});

describe("a logotype", () => {
  it("is read only from valid octets", () => {
    const { raw } = new X509Certificate(markPem({ isAlone: true }));
    for (let n = 0; n < 500; n++) {
      const broken = Buffer.from(raw);
      const at = randomInt(broken.length);
      broken[at] = randomInt(256);
      const cut = broken.subarray(0, n % 2 ? broken.length : randomInt(broken.length));
      expect(() => readLogotype({ raw: cut } as X509Certificate), cut.toString("hex")).not.toThrow();
    }
  });
});
