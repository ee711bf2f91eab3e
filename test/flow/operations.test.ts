import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import { email, post } from "../harness/http.ts";
import { startSharedStore } from "../harness/shared-store.ts";
import {
  eventually,
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { allMessages, untilAllCaptured } from "../harness/stored.ts";
import { proxyMongoDb, type TcpProxy } from "../harness/tcp-proxy.ts";

interface Ready {
  readonly code: number;
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
}

async function readyz({ adminUrl }: HermodProcess): Promise<Ready> {
  const response = await fetch(`${adminUrl}/readyz`);
  return { code: response.status, ...((await response.json()) as Omit<Ready, "code">) };
}

async function healthz({ adminUrl }: HermodProcess): Promise<number> {
  return (await fetch(`${adminUrl}/healthz`)).status;
}

/** The values of every series by its name with labels, in the order of Prometheus. */
async function metrics({ adminUrl }: HermodProcess): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line): [string, number] => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly pid: number;
  readonly msg: string;
  readonly traceId?: string;
  readonly status?: number;
  readonly code?: string;
  readonly keyId?: string;
  readonly keyPrefix?: string;
  readonly route?: string;
}

function logLines(running: HermodProcess): LogLine[] {
  return running
    .log()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe("a Hermod with every role", () => {
  let hermod: Hermod;
  beforeAll(async () => {
    hermod = await startHermod({ settings: { HERMOD_LOG_LEVEL: "debug" } });
  });
  afterAll(() => hermod.dispose());

  it("is healthy and ready, and lists its dependencies", async () => {
    expect(await healthz(hermod)).toBe(200);
    expect(await readyz(hermod)).toEqual({
      code: 200,
      status: "ready",
      checks: { store: "ok", core: "ok", room: "ok", answers: "ok" },
    });
  });

  it("counts accepted, repeated, refused and delivered messages", async () => {
    const before = await metrics(hermod);
    const options = { headers: { "idempotency-key": "counted" } };
    await post(hermod, email(), options);
    await post(hermod, email(), options);
    await post(hermod, email({ from: "someone@example.net" }));
    await untilAllCaptured(hermod);
    const moved = async () => {
      const after = await metrics(hermod);
      return (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    };
    await eventually(async () => {
      const delivered = (await moved())('hermod_deliveries_total{transport="sandbox",outcome="captured"}');
      return delivered === 1 ? true : undefined;
    });
    const by = await moved();
    expect(by('hermod_accepts_total{outcome="accepted",code=""}')).toBe(1);
    expect(by('hermod_accepts_total{outcome="replayed",code=""}')).toBe(1);
    expect(by('hermod_accepts_total{outcome="refused",code="sender.unverified"}')).toBe(1);
    expect(by("hermod_accept_duration_seconds_count")).toBe(3);
    expect(by('hermod_delivery_duration_seconds_count{transport="sandbox"}')).toBe(1);
    expect(by("hermod_delivery_lag_seconds_count")).toBe(1);
    expect((await metrics(hermod)).get("hermod_deliveries_in_flight")).toBe(0);
    const requests = (status: number) =>
      by(`hermod_http_requests_total{method="POST",route="/v1/email/send",status="${status}"}`);
    expect([requests(202), requests(403)]).toEqual([2, 1]);
  });

  it("keeps invented keys, addresses and paths of clients out of the metrics", async () => {
    await post(hermod, email({ to: "made-up@example.org" }), { path: "/v1/made-up" });
    const text = [...(await metrics(hermod)).keys()].join("\n");
    expect(text).not.toContain("made-up");
    expect(text).not.toContain(hermod.firstRun.api_key);
    expect(text).toContain('hermod_http_requests_total{method="POST",route="unknown",status="404"}');
  });

  it("logs one JSON object per line, which contains the trace id of an answer", async () => {
    const { problem } = await post(hermod, email({ to: "nobody" }));
    const line = await eventually(async () =>
      logLines(hermod).find(({ traceId }) => traceId === problem.sx_trace_id),
    );
    expect(line).toMatchObject({ level: "info", status: 422, route: "/v1/email/send" });
    const { accepted } = await post(hermod, email());
    await eventually(async () => logLines(hermod).find(({ traceId }) => traceId === accepted.sx_trace_id));
    for (const { level, time, pid } of logLines(hermod)) {
      expect(["debug", "info", "warn"]).toContain(level);
      expect(new Date(time).toISOString()).toBe(time);
      expect(pid).toBe(hermod.pid);
    }
  });

  async function lineOf(...request: Parameters<typeof post>): Promise<LogLine> {
    const { problem } = await post(...request);
    return eventually(async () => logLines(hermod).find(({ traceId }) => traceId === problem.sx_trace_id));
  }

  it("logs the fault and the key of a refused request", async () => {
    const { keys } = await hermod.core.keys.listKeys({});
    const keyId = keys.find(({ kind }) => kind === "account")?.id;
    const unverified = await lineOf(hermod, email({ from: "someone@example.net" }));
    expect(unverified).toMatchObject({ status: 403, code: "sender.unverified", keyId });
    expect(await lineOf(hermod, "{")).toMatchObject({ status: 400, code: "request.malformed_json", keyId });
  });

  it("logs the listed fields of a refused key, and nothing of an invalid one", async () => {
    const { deliverability_api_key: key } = hermod.firstRun;
    const wrongKind = await lineOf(hermod, email(), { key });
    expect(wrongKind).toMatchObject({ code: "auth.key_wrong_kind", keyPrefix: key.slice(0, 15) });
    const mistyped = await lineOf(hermod, email(), { key: `${key}x` });
    expect(mistyped).toMatchObject({ status: 401, code: "auth.key_invalid" });
    const missing = await lineOf(hermod, email(), { key: null });
    expect(missing).toMatchObject({ status: 401, code: "auth.key_missing" });
    for (const line of [mistyped, missing]) expect(line).not.toHaveProperty("keyPrefix");
    expect(hermod.log()).not.toContain(key.slice(0, 20));
  });

  it("logs the fault if there is no route and no key", async () => {
    const line = await lineOf(hermod, email(), { path: "/v1/nowhere", key: null });
    expect(line).toMatchObject({ status: 404, route: "unknown", code: "request.not_found" });
  });
});

describe("an edge with an unavailable core", () => {
  it("is alive and unready with a reason, and becomes ready again automatically", async () => {
    let core = await startHermod({
      roles: "core,worker",
      settings: { HERMOD_GRPC_TOKEN: "token-of-the-core" },
    });
    const settings = await newSettings();
    const { address } = core.firstRun.grpc;
    const edge = await startProcess(
      { ...settings, HERMOD_GRPC_TOKEN: "token-of-the-core", HERMOD_GRPC_ADDRESS: address },
      "edge",
    );
    try {
      const checks = { core: "ok", room: "ok", answers: "ok" };
      expect(await readyz(edge)).toEqual({ code: 200, status: "ready", checks });
      await core.kill();
      const away = await eventually(async () => {
        const state = await readyz(edge);
        return state.code === 503 ? state : undefined;
      });
      expect(away).toMatchObject({
        status: "unavailable",
        checks: { core: expect.not.stringMatching(/^ok$/) },
      });
      expect(await healthz(edge)).toBe(200);
      core.env.HERMOD_GRPC_PORT = address.slice(address.lastIndexOf(":") + 1);
      core = await core.restart();
      await eventually(async () => ((await readyz(edge)).code === 200 ? true : undefined));
    } finally {
      await edge.kill();
      await core.dispose();
      await removeData(settings);
    }
  });
});

it("makes an edge unready while its core has lost its store", async () => {
  const store = await startSharedStore();
  const proxy = await proxyMongoDb(store.settings.MONGODB_URL ?? "");
  const token = { HERMOD_GRPC_TOKEN: "token-of-the-core" };
  const core = await startHermod({
    roles: "core",
    settings: { ...store.settings, ...token, MONGODB_URL: proxy.url },
  });
  const settings = await newSettings();
  const edge = await startProcess(
    { ...settings, ...token, HERMOD_GRPC_ADDRESS: core.firstRun.grpc.address },
    "edge",
  );
  try {
    expect((await readyz(edge)).code).toBe(200);
    proxy.swallow();
    const away = await eventually(async () => {
      const state = await readyz(edge);
      return state.code === 503 ? state : undefined;
    });
    expect(away.checks).toMatchObject({ core: expect.not.stringMatching(/^ok$/), room: "ok" });
    proxy.heal();
    await eventually(async () => ((await readyz(edge)).code === 200 ? true : undefined), 60_000);
  } finally {
    await edge.kill();
    proxy.heal();
    await core.dispose();
    await proxy.close();
    await store.close();
    await removeData(settings);
  }
});

describe.skipIf(!process.env.MONGODB_URL)("a Hermod with an unavailable MongoDB", () => {
  const url = process.env.MONGODB_URL ?? "";
  let proxy: TcpProxy & { readonly url: string };
  let hermod: Hermod;

  beforeAll(async () => {
    proxy = await proxyMongoDb(url);
    hermod = await startHermod({ settings: { MONGODB_URL: proxy.url } });
  });
  afterAll(async () => {
    proxy.heal();
    await hermod.dispose();
    await proxy.close();
  });

  it("is unready, acknowledges nothing, and recovers automatically without duplicates", async () => {
    const options = { headers: { "idempotency-key": "store-away" } };
    await post(hermod, email({ subject: "Before" }));
    await untilAllCaptured(hermod);
    proxy.cut();
    const refused = await post(hermod, email({ subject: "Meanwhile" }), options);
    expect([refused.status, refused.problem.code]).toEqual([503, "store.unavailable"]);
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]/);
    const state = await readyz(hermod);
    expect(state).toMatchObject({ code: 503, status: "unavailable", checks: { core: "ok" } });
    expect(state.checks.store).not.toBe("ok");
    expect(await healthz(hermod)).toBe(200);

    proxy.heal();
    await eventually(async () => {
      const { status } = await post(hermod, email({ subject: "Meanwhile" }), options);
      return status === 202 ? true : undefined;
    }, 60_000);
    await eventually(async () => ((await readyz(hermod)).code === 200 ? true : undefined));
    await untilAllCaptured(hermod);
    const subjects = (await allMessages(hermod)).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual(["Before", "Meanwhile"]);
  });
});

describe("the log", () => {
  it("redacts secrets and bodies at any place in an object", async () => {
    const stream = new PassThrough();
    const log = createLogger("info", stream);
    const secret = "s3cret";
    log.info({ password: secret, apiKey: secret, headers: { authorization: secret, "x-api-key": secret } });
    log.info({ email: { html: secret, text: secret }, job: { message: { source: secret } } });
    log.info({ msg: "kept", request: { headers: { cookie: secret } } }, "kept");
    const text = String(stream.read());
    expect(text.trim().split("\n")).toHaveLength(3);
    expect(text).not.toContain(secret);
    expect(text).toContain("kept");
    expect(text.match(/\[redacted\]/g)).toHaveLength(8);
  });
});
