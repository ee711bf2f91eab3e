import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import type net from "node:net";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterEach, describe, expect, it } from "vitest";
import type { Resolver } from "../../src/dns/resolver.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { issueCertificate } from "../../src/shared/issue-certificate.ts";
import { newWebhookSecret } from "../../src/shared/webhook-signature.ts";
import type { WebhookEndpointDocument } from "../../src/store/webhook-documents.ts";
import { createAttemptDelivery } from "../../src/webhooks/attempt.ts";
import { createWebhookClient } from "../../src/webhooks/webhook-client.ts";
import { deliveryDocument, endpointDocument } from "../harness/expected-deliveries.ts";
import { createTestTime } from "../harness/test-time.ts";
import { englishOf } from "../harness/text-parts.ts";

const TIMEOUT_MS = 1_000;
const servers: net.Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: net.Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const receive = (listener: RequestListener) => listen(http.createServer(listener));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

interface Options {
  readonly url: string;
  readonly attempts?: number;
  readonly allowPrivate?: boolean;
  readonly addresses?: () => readonly string[];
  readonly extraCa?: string;
  readonly signal?: AbortSignal;
  readonly endpoint?: Partial<WebhookEndpointDocument>;
}

const time = createTestTime(Date.UTC(2030, 0, 1));
const BODY = '{"type":"message.delivered","data":{"name":"ü"}}';
const first = newWebhookSecret();

/** One attempt, with its result. */
async function attempt(options: Options) {
  const { url, attempts = 0, allowPrivate = true, addresses = () => ["127.0.0.1"], extraCa } = options;
  const resolve = async (_name: string, type: string) =>
    type === "A" ? { kind: "records", records: addresses() } : { kind: "none" };
  const client = createWebhookClient({
    resolver: { resolve } as unknown as Resolver,
    refuse: createRefuseDestination({ allowPrivate, ownAddresses: [] }),
    ipv6: false,
    timeoutMs: TIMEOUT_MS,
    ...(extraCa !== undefined && { extraCa }),
  });
  const send = createAttemptDelivery({
    client,
    clock: time.clock,
    random: () => 0,
    agent: "Hermod/test",
    signal: options.signal ?? new AbortController().signal,
  });
  const endpoint = endpointDocument({
    _id: "wep_1",
    accountId: "acc_1",
    url,
    secrets: [{ secret: first, createdAt: time.clock.now() }],
    ...options.endpoint,
  });
  try {
    const done = await send(endpoint, deliveryDocument({ state: "pending", attempts }), BODY);
    if (!done) throw new Error("nothing was sent");
    const { detail, detailParts } = done.tried;
    if (detailParts) expect(englishOf(detailParts)).toBe(detail);
    const waitMs = done.dueAt && done.dueAt.getTime() - time.clock.now().getTime();
    return { ...done, waitMs };
  } finally {
    await client.close();
  }
}

const answering = (status: number, headers = {}, body = "") =>
  receive((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });

describe("a webhook", () => {
  it("has signatures that the libraries of receivers accept, with each secret of a rotation", async () => {
    const second = newWebhookSecret();
    const at = time.clock.now();
    const past = { secret: newWebhookSecret(), createdAt: at, expiresAt: at };
    const seen: { headers: Record<string, string>; body: string }[] = [];
    const port = await receive(async (request, response) => {
      seen.push({ headers: request.headers as Record<string, string>, body: await bodyOf(request) });
      response.writeHead(204).end();
    });
    const endpoint = {
      headers: [{ name: "Authorization", value: "Bearer theirs" }],
      secrets: [
        { secret: second, createdAt: at },
        { secret: first, createdAt: at, expiresAt: new Date(at.getTime() + 1) },
        past,
      ],
    };
    const done = await attempt({ url: `http://localhost:${port}/hook?x=1`, endpoint });
    expect(done).toMatchObject({
      verdict: "taken",
      tried: { status: 204, url: `http://localhost:${port}/hook?x=1` },
    });
    const [{ headers, body } = { headers: {}, body: "" }] = seen;
    expect(headers).toMatchObject({
      authorization: "Bearer theirs",
      "content-type": "application/json",
      "user-agent": "Hermod/test",
      "content-length": String(Buffer.byteLength(BODY)),
      "webhook-id": "msg_1.1.delivered",
      "webhook-timestamp": String(Date.UTC(2030, 0, 1) / 1_000),
    });
    // The libraries reject old timestamps.
    for (const Library of [Webhook, SvixWebhook]) {
      for (const secret of [first, second]) {
        const now = Date.now;
        Date.now = () => Date.UTC(2030, 0, 1);
        try {
          expect(new Library(secret).verify(body, headers)).toEqual(JSON.parse(BODY));
          expect(() => new Library(past.secret).verify(body, headers)).toThrow();
          expect(() => new Library(secret).verify(`${body} `, headers)).toThrow();
        } finally {
          Date.now = now;
        }
      }
    }
  });

  it("records the headers as they were sent and received, without the values of secret headers", async () => {
    const secret = "Bearer theirs";
    let received: readonly string[] = [];
    const port = await receive((request, response) => {
      received = request.rawHeaders;
      request.resume();
      response.writeHead(500, { "X-Echo": `got ${secret}`, "Set-Cookie": ["a=1", "b=2"] });
      response.end(`no ${secret} here`);
    });
    const endpoint = { headers: [{ name: "X-Key", value: secret }] };
    const { exchange, tried } = await attempt({ url: `http://localhost:${port}/`, endpoint });
    const wire = received.flatMap((name, index) => {
      if (index % 2 === 1) return [];
      return name === "x-key" ? [name] : [`${name}: ${received[index + 1]}`];
    });
    expect(wire).toContain("x-key");
    expect(exchange?.at).toEqual(tried.at);
    expect(exchange?.request.split("\n")).toEqual(wire);
    expect(exchange?.response?.split("\n")).toEqual(
      expect.arrayContaining(["X-Echo: got [hidden]", "Set-Cookie: a=1", "Set-Cookie: b=2"]),
    );
    expect(tried.answer).toBe("no [hidden] here");
    expect(JSON.stringify([exchange, tried])).not.toContain(secret);
  });

  it("records at most 50 headers and 4,096 characters of them", async () => {
    const names = Array.from({ length: 60 }, (_, n) => [`x-${n}`, "v"]);
    const many = await answering(500, Object.fromEntries(names));
    const { exchange } = await attempt({ url: `http://localhost:${many}/` });
    expect([exchange?.response?.split("\n").length, exchange?.isCut]).toEqual([50, true]);
    const long = await answering(500, { "x-long": "v".repeat(3_000), "x-longer": "v".repeat(3_000) });
    const cut = (await attempt({ url: `http://localhost:${long}/` })).exchange;
    expect([cut?.response?.startsWith("x-long: "), cut?.response?.includes("x-longer")]).toEqual([
      true,
      false,
    ]);
    expect(cut?.isCut).toBe(true);
  });

  it("records the request, and no response headers, if nothing was answered", async () => {
    const { exchange } = await attempt({ url: "http://localhost:1/" });
    expect(exchange?.request).toContain("webhook-id: msg_1.1.delivered");
    expect(exchange).not.toHaveProperty("response");
  });

  it("is attempted ten times, with growing delays", async () => {
    const port = await answering(500, {}, "broken");
    const waits: unknown[] = [];
    for (let attempts = 0; attempts < 10; attempts++) {
      const { verdict, waitMs, tried } = await attempt({ url: `http://localhost:${port}/`, attempts });
      expect([verdict, tried.detail, tried.answer]).toEqual(["retry", "it answered 500", "broken"]);
      waits.push(waitMs === undefined ? undefined : waitMs / 1_000);
    }
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined]);
  });

  it("is retried no earlier than the receiver requests, and within a day", async () => {
    const of = async (value: string) => {
      const port = await answering(429, { "retry-after": value });
      return (await attempt({ url: `http://localhost:${port}/` })).waitMs;
    };
    expect(await of("120")).toBe(120_000);
    expect(await of("1")).toBe(5_000);
    expect(await of(new Date(Date.UTC(2030, 0, 1, 1)).toUTCString())).toBe(3_600_000);
    expect(await of("99999999")).toBe(86_400_000);
    expect(await of("soon")).toBe(5_000);
    expect(await of("-5")).toBe(5_000);
  });

  it("disables an endpoint that answers 410", async () => {
    const port = await answering(410);
    expect(await attempt({ url: `http://localhost:${port}/` })).toMatchObject({ verdict: "gone" });
  });

  it("follows no redirect", async () => {
    let visits = 0;
    const target = await receive((_, response) => {
      visits++;
      response.end();
    });
    const port = await answering(307, { location: `http://localhost:${target}/` });
    const { verdict, tried } = await attempt({ url: `http://localhost:${port}/` });
    expect([verdict, tried.detail, visits]).toEqual([
      "retry",
      "it answered 307: redirects are not followed",
      0,
    ]);
  });
});

describe("a receiver", () => {
  it("that hangs is abandoned after the timeout", async () => {
    const port = await receive(() => undefined);
    const { verdict, tried } = await attempt({ url: `http://localhost:${port}/` });
    expect([verdict, tried.detail, tried.status]).toEqual(["retry", "no answer within 1 seconds", undefined]);
    expect(tried.detailParts).toEqual([{ code: "webhook.timeout", params: { seconds: 1 } }]);
  });

  it.each([
    ["closes early", (response: ServerResponse) => response.destroy()],
    ["answers nonsense", (response: ServerResponse) => response.socket?.end("nonsense\r\n\r\n")],
  ])("that %s has not accepted it", async (_, answer) => {
    const port = await receive((request, response) => {
      request.resume();
      answer(response);
    });
    const { verdict, tried } = await attempt({ url: `http://localhost:${port}/` });
    expect([verdict, tried.status]).toEqual(["retry", undefined]);
    expect(tried.detail).not.toBe("");
  });

  it("with a very long answer has accepted it, and little of the answer is read", async () => {
    let written = 0;
    const port = await receive((request, response) => {
      request.resume();
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && written < 512 * 1024 * 1024) {
          written += 65_536;
          if (!response.write("y".repeat(65_536))) return;
        }
      };
      response.on("drain", write);
      write();
    });
    const { verdict, tried } = await attempt({ url: `http://localhost:${port}/` });
    expect([verdict, tried.answer?.length]).toEqual(["taken", 2_000]);
    const why = { detail: "only the first 65536 bytes of its answer are read", cause: "webhook.long_rest" };
    expect(tried.detailParts).toEqual([
      { code: "webhook.answered_in_part", params: { status: 200, ...why } },
    ]);
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it("that does not exist has not accepted it", async () => {
    const port = await answering(200);
    for (const server of servers.splice(0)) server.close();
    const { verdict, tried } = await attempt({ url: `http://localhost:${port}/` });
    expect([verdict, tried.detail]).toEqual(["retry", expect.stringMatching(/ECONNREFUSED/)]);
    expect(tried.detailParts).toEqual([
      { code: "system.failure", params: { detail: tried.detail, cause: "ECONNREFUSED" } },
    ]);
  });

  it("is not connected at an address that is not allowed, whatever its name resolves to", async () => {
    let visits = 0;
    const port = await receive((_, response) => {
      visits++;
      response.end();
    });
    for (const host of [
      "127.0.0.1",
      "[::1]",
      "0x7f.1",
      "2130706433",
      "[::ffff:127.0.0.1]",
      "169.254.169.254",
      "10.0.0.1",
    ]) {
      const { tried } = await attempt({ url: `http://${host}:${port}/`, allowPrivate: false });
      expect([host, tried.detail]).toEqual([host, expect.stringMatching(/may not be connected to$/)]);
    }
    const named = await attempt({ url: `http://hooks.example:${port}/`, allowPrivate: false });
    expect(named.tried).toMatchObject({
      detail: "hooks.example has no address that may be connected to",
      detailParts: [{ code: "host.no_permitted_address", params: { host: "hooks.example" } }],
    });
    // A public address is resolved once, and the connection uses the checked address.
    const answers = [["192.0.2.1", "127.0.0.1"], ["127.0.0.1"]];
    const rebound = await attempt({
      url: `http://hooks.example:${port}/`,
      allowPrivate: false,
      addresses: () => answers.shift() ?? [],
    });
    expect([rebound.verdict, visits]).toEqual(["retry", 0]);
  });
});

describe("TLS", () => {
  it("must present a certificate for the name", async () => {
    const issuer = issueCertificate({ subject: "authority", authority: true });
    const own = issueCertificate({
      subject: "hooks",
      issuer,
      names: ["hooks.example"],
      purpose: "1.3.6.1.5.5.7.3.1",
    });
    const port = await listen(
      https.createServer({ key: own.keyPem, cert: own.pem }, (request, response) => {
        request.resume();
        response.end();
      }),
    );
    const good = await attempt({ url: `https://hooks.example:${port}/`, extraCa: issuer.pem });
    expect(good.verdict).toBe("taken");
    const unknown = await attempt({ url: `https://hooks.example:${port}/` });
    expect([unknown.verdict, unknown.tried.status]).toEqual(["retry", undefined]);
    const other = await attempt({ url: `https://other.example:${port}/`, extraCa: issuer.pem });
    expect(other.tried.detail).toMatch(/other\.example/);
  });
});

it("that is abandoned at the end of the process is no attempt", async () => {
  const abort = new AbortController();
  const port = await receive(() => abort.abort(new Error("the process ends")));
  await expect(attempt({ url: `http://localhost:${port}/`, signal: abort.signal })).rejects.toThrow(
    "the process ends",
  );
});
