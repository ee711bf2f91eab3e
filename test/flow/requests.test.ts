import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { email, post } from "../harness/http.ts";
import {
  eventually,
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

type Filter = NonNullable<Parameters<Hermod["core"]["requests"]["listRequests"]>[0]["filter"]>;

/** Returns this many requests when they exist. */
const logged = (hermod: Hermod, filter: Filter, count: number) =>
  eventually(async () => {
    const { requests } = await hermod.core.requests.listRequests({ filter });
    return requests.length < count ? undefined : requests;
  });

describe("the log of requests", () => {
  let hermod: Hermod;
  beforeAll(async () => {
    hermod = await startHermod();
  });
  afterAll(() => hermod.dispose());

  it("contains accepted requests with their messages, and repetitions", async () => {
    const options = { headers: { "idempotency-key": "once" } };
    const first = await post(hermod, email(), options);
    await post(hermod, email(), { ...options, path: "/v1/send" });
    const [replay, sent] = await logged(hermod, { status: "202" }, 2);
    const { message_id: messageId, sx_trace_id: traceId } = first.accepted;
    const same = { status: 202, code: "", messageId, clientAddress: "127.0.0.1", count: 1 };
    expect(sent).toMatchObject({ ...same, route: "/v1/email/send", traceId, replayed: false });
    expect(replay).toMatchObject({ ...same, route: "/v1/send", replayed: true });
    expect(sent?.bodyBytes).toBe(JSON.stringify(email()).length);
    expect(replay?.traceId).not.toBe(traceId);
  });

  it("contains all answered requests at the end of a process", async () => {
    const { problem } = await post(hermod, email({ to: "nobody" }));
    await hermod.stop();
    const again = await hermod.restart();
    const { requests } = await again.core.requests.listRequests({ filter: { traceId: problem.sx_trace_id } });
    hermod = again;
    expect(requests).toMatchObject([{ status: 422, code: problem.code, messageId: "" }]);
  });
});

describe("an edge with an unavailable core", { timeout: 180_000 }, () => {
  let core: Hermod;
  let edge: HermodProcess;
  let settings: NodeJS.ProcessEnv;
  let api: Hermod;
  beforeAll(async () => {
    const token = { HERMOD_GRPC_TOKEN: "token-of-the-core" };
    const ports = { HERMOD_GRPC_PORT: String(await freePort()) };
    core = await startHermod({ roles: "core,worker", settings: { ...token, ...ports } });
    settings = { ...(await newSettings()), HERMOD_HTTP_PORT: String(await freePort()) };
    const reaching = { HERMOD_GRPC_ADDRESS: core.firstRun.grpc.address, HERMOD_KEY_CACHE_MS: "60000" };
    edge = await startProcess({ ...settings, ...token, ...reaching }, "edge");
    const base_url = `http://127.0.0.1:${settings.HERMOD_HTTP_PORT}`;
    api = { ...core, firstRun: { ...core.firstRun, base_url } };
  });
  afterAll(async () => {
    await edge.kill();
    await core.dispose();
    await removeData(settings);
  });

  it("keeps its answers, and stores them once when the core is back", async () => {
    expect((await post(api, email())).status).toBe(202);
    await logged(core, {}, 1);
    await core.kill();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(api, email())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    core = await core.restart();
    const found = await logged(core, { status: "5xx" }, 20);
    expect(found.map(({ traceId }) => traceId).toSorted()).toEqual(
      answers.map(({ problem }) => problem.sx_trace_id).toSorted(),
    );
    const complaints = edge.log().match(/the log of requests cannot be written/g) ?? [];
    expect(complaints.length).toBeLessThanOrEqual(1);
  });
});
