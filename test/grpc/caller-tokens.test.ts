import { readFile } from "node:fs/promises";
import path from "node:path";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CoreClient, connectCoreClient } from "../../src/rpc/client.ts";
import { fault } from "../../src/shared/fault.ts";
import { email, post } from "../harness/http.ts";
import { callRaw, detailsOf, errorOf } from "../harness/raw-grpc.ts";
import {
  type Hermod,
  type HermodProcess,
  newSettings,
  removeData,
  startHermod,
  startProcess,
} from "../harness/start-hermod.ts";

let hermod: Hermod;
const clients: CoreClient[] = [];

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await hermod.dispose();
});

const tokenIn = (name: string) => readFile(path.join(hermod.dataDir, name), "utf8");

function as(token: string): CoreClient {
  const client = connectCoreClient({ address: hermod.firstRun.grpc.address, token, deadlineMs: 10_000 });
  clients.push(client);
  return client;
}

const forbidden = { code: "auth.caller_forbidden" };

describe("the front ends' token", () => {
  let frontEnd: CoreClient;
  beforeAll(async () => {
    frontEnd = as(await tokenIn("grpc-token-front-end"));
  });

  it("submits with a customer's key, and nothing without one", async () => {
    const mail = { from: "hello@example.com", to: ["ann@example.org"], subject: "Hello", text: "Hello" };
    const { api_key: apiKey } = hermod.firstRun;
    expect((await frontEnd.sendEmail({ apiKey, email: mail })).messageId).toMatch(/^msg_/);
    await expect(frontEnd.sendEmail({ email: mail })).rejects.toMatchObject({ code: "auth.key_missing" });
    const { username, password } = hermod.firstRun.smtp;
    const answer = await frontEnd.submissions.authenticate({ username, password });
    expect(answer.accountId).toMatch(/^acc_/);
  });

  it("without a session reads, changes and cancels nothing", async () => {
    const id = "msg_1";
    const calls = [
      frontEnd.messages.getMessage({ id }),
      frontEnd.messages.listMessages({}),
      frontEnd.messages.cancelMessage({ id }),
      frontEnd.keys.createKey({ name: "mine", kind: "account", scopeMode: "full" }),
      frontEnd.keys.listKeys({}),
      frontEnd.policies.putPolicy({ policy: { name: "mine", default: true } }),
      frontEnd.senders.addSender({ value: "ceo@example.com" }),
      frontEnd.sandbox.listSandboxMessages({}),
      frontEnd.secrets.rotateSecrets({}),
    ];
    const outcomes = await Promise.allSettled(calls);
    const codes = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code);
    // Some of these are for sessions, and this call has none.
    for (const code of codes) expect(["auth.caller_forbidden", "auth.session_missing"]).toContain(code);
    expect((await hermod.core.keys.listKeys({})).keys).toHaveLength(3);
  });
});

it("the workers' token permits no method of the front ends or the operator", async () => {
  const worker = as(await tokenIn("grpc-token-worker"));
  await expect(worker.messages.listMessages({})).rejects.toMatchObject(forbidden);
  await expect(worker.sendEmail({ apiKey: hermod.firstRun.api_key })).rejects.toMatchObject(forbidden);
});

it("the wrong role is PERMISSION_DENIED, and a missing token is UNAUTHENTICATED", async () => {
  const { address } = hermod.firstRun.grpc;
  for (const [token, code, reason] of [
    [await tokenIn("grpc-token-worker"), status.PERMISSION_DENIED, "auth.caller_forbidden"],
    ["wrong", status.UNAUTHENTICATED, "auth.caller_invalid"],
    [null, status.UNAUTHENTICATED, "auth.caller_invalid"],
  ] as const) {
    const caller = callRaw({ address, token });
    const refused = await errorOf(caller.sendEmail({ apiKey: hermod.firstRun.api_key }));
    expect([refused.code, detailsOf(refused).errorInfo?.reason]).toEqual([code, reason]);
    caller.close();
  }
});

describe("an edge in a separate process", () => {
  const folders: NodeJS.ProcessEnv[] = [];
  const started: HermodProcess[] = [];
  afterAll(async () => {
    await Promise.all(started.map((running) => running.kill()));
    for (const { HERMOD_DATA_DIR } of folders) await removeData({ HERMOD_DATA_DIR } as NodeJS.ProcessEnv);
  });

  async function startEdge(tokens: Readonly<Record<string, string>>): Promise<HermodProcess> {
    const settings = await newSettings();
    folders.push(settings);
    const { address } = hermod.firstRun.grpc;
    const edge = await startProcess(
      { ...settings, MONGODB_URL: "", HERMOD_GRPC_ADDRESS: address, ...tokens },
      "edge",
    );
    started.push(edge);
    return edge;
  }
  const send = (edge: HermodProcess) => {
    const baseUrl = /API +(http:\S+)/.exec(edge.stdout())?.[1] ?? "";
    return post({ ...hermod, firstRun: { ...hermod.firstRun, base_url: baseUrl } }, email());
  };

  it("accepts only the front ends' token, and has no sandbox inbox", async () => {
    const edge = await startEdge({ HERMOD_GRPC_FRONT_END_TOKEN: await tokenIn("grpc-token-front-end") });
    expect((await send(edge)).status).toBe(202);
    expect(edge.stdout()).not.toContain("/sandbox");
    expect((await fetch(`${edge.adminUrl}/sandbox/messages`)).status).toBe(404);
    expect((await fetch(`${edge.adminUrl}/readyz`)).status).toBe(200);
  });

  it("also works with the operator's token, as in earlier deployments", async () => {
    const edge = await startEdge({ HERMOD_GRPC_TOKEN: hermod.firstRun.grpc.token });
    expect((await send(edge)).status).toBe(202);
    expect((await fetch(`${edge.adminUrl}/sandbox/messages`)).status).toBe(200);
  });

  it("with another role's token answers that it cannot serve, and logs the reason", async () => {
    const edge = await startEdge({ HERMOD_GRPC_FRONT_END_TOKEN: await tokenIn("grpc-token-worker") });
    const refused = await send(edge);
    expect([refused.status, refused.problem.code]).toEqual([503, fault("core.unavailable").code]);
    expect(edge.log()).toContain("auth.caller_forbidden");
  });
});
