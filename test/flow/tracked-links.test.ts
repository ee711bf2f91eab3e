import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { capturedSource, email, post } from "../harness/http.ts";
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

const READER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.5.0";

let core: Hermod;
let edge: HermodProcess;
let edgeSettings: NodeJS.ProcessEnv;
let base: string;

beforeAll(async () => {
  const token = randomBytes(32).toString("base64url");
  const port = String(await freePort());
  base = `http://127.0.0.1:${port}`;
  const shared = { HERMOD_GRPC_TOKEN: token, HERMOD_BASE_URL: base };
  core = await startHermod({
    roles: "core,worker",
    settings: { ...shared, HERMOD_GRPC_PORT: String(await freePort()) },
  });
  edgeSettings = await newSettings();
  const address = { HERMOD_GRPC_ADDRESS: core.firstRun.grpc.address, HERMOD_HTTP_PORT: port };
  edge = await startProcess({ ...edgeSettings, MONGODB_URL: "", ...shared, ...address }, "edge");
});
afterAll(async () => {
  await edge?.kill();
  await removeData(edgeSettings as NodeJS.ProcessEnv);
  await core?.dispose();
});

it("redirects links while the core is unavailable, and reports their clicks when it is back", async () => {
  const throughEdge: Hermod = { ...core, firstRun: { ...core.firstRun, base_url: base } };
  const html = '<p><a href="https://shop.example/">Shop</a></p>';
  const { status, accepted } = await post(throughEdge, email({ html, tracking: { clicks: true } }));
  expect(status).toBe(202);
  const id = accepted.message_id;
  const source = await eventually(() => capturedSource(core, id));
  const link = /href=3?D?"(http[^"]*)"/.exec(source.toString().replace(/=\r\n/g, ""))?.[1] ?? "";
  const token = link.slice(link.lastIndexOf("/") + 1);
  // The edge queries the required data of the core only once.
  const ask = (method: string) =>
    fetch(`${base}/t/c/${token}`, { method, redirect: "manual", headers: { "user-agent": READER } });
  expect((await ask("HEAD")).status).toBe(302);

  await core.kill();
  const answer = await ask("GET");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://shop.example/"]);

  core = await core.restart();
  const clicked = await eventually(async () => {
    const { timeline } = await core.core.messages.getMessage({ id });
    return timeline.find(({ kind }) => kind === "clicked");
  });
  expect(clicked).toMatchObject({ url: "https://shop.example/", userAgent: READER });
});
