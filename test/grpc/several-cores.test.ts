import { afterEach, expect, it } from "vitest";
import { SandboxService } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { type CoreClient, connectCoreClient } from "../../src/core/client.ts";
import { createCoreServer } from "../../src/core/server.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { eventually } from "../harness/start-hermod.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const TOKEN = "token-of-the-core";
const log = createLogger("silent");
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Core {
  readonly port: number;
  calls: number;
  close(): Promise<void>;
}

async function startCore(port: number): Promise<Core> {
  const server = createCoreServer({
    host: "127.0.0.1",
    port,
    tokens: { operator: TOKEN },
    clock: systemClock,
    log,
  });
  let closed: Promise<void> | undefined;
  const core: Core = {
    port,
    calls: 0,
    close: () => {
      closed ??= server.close(100);
      return closed;
    },
  };
  server.add(SandboxService, {
    listSandboxMessages: async () => {
      core.calls++;
      return {};
    },
    getSandboxMessage: () => Promise.reject(new Error("not asked for")),
    clearSandboxMessages: () => Promise.reject(new Error("not asked for")),
  });
  await server.listen();
  closing.push(core.close);
  return core;
}

function connect(address: string): CoreClient {
  const client = connectCoreClient({ address, token: TOKEN, deadlineMs: 5_000 });
  closing.push(client.close);
  return client;
}

async function callMany(client: CoreClient): Promise<void> {
  for (let i = 0; i < 10; i++) await client.sandbox.listSandboxMessages({});
}

it("share the calls, and one that goes away is passed over until it is back", async () => {
  const [first, second] = [await startCore(await freePort()), await startCore(await freePort())];
  const client = connect(`127.0.0.1:${first.port}, 127.0.0.1:${second.port}`);
  await eventually(async () => {
    await callMany(client);
    return first.calls > 0 && second.calls > 0 ? true : undefined;
  });

  await first.close();
  await eventually(() =>
    callMany(client)
      .then(() => true)
      .catch(() => undefined),
  );
  await callMany(client);
  expect(await client.serving()).toBe(true);

  const again = await startCore(first.port);
  await eventually(async () => {
    await callMany(client);
    return again.calls > 0 ? true : undefined;
  });
});

it("serve a caller whose first core was never there", async () => {
  const core = await startCore(await freePort());
  const client = connect(`127.0.0.1:${await freePort()},127.0.0.1:${core.port}`);
  await callMany(client);
  expect(core.calls).toBe(10);
});

it("are told to be away when none is there", async () => {
  const client = connect(`127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`);
  await expect(client.sandbox.listSandboxMessages({})).rejects.toMatchObject({ code: "core.unavailable" });
  expect(await client.serving()).toBe(false);
});

it("are found by a name of which one address answers", async () => {
  const core = await startCore(await freePort());
  await callMany(connect(`localhost:${core.port}`));
  expect(core.calls).toBe(10);
});
