import { describe, expect, it, type TestContext } from "vitest";
import { EmailService } from "../../gen/hermod/email/v1/email_service_pb.ts";
import { SandboxService } from "../../gen/hermod/sandbox/v1/sandbox_service_pb.ts";
import { type CoreClient, connectCoreClient } from "../../src/rpc/client.ts";
import { createCoreServer } from "../../src/rpc/server.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { served } from "../harness/served.ts";
import { createSignal, type Signal } from "../harness/signal.ts";
import { type Direction, freePort, startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";

const TOKEN = "token-of-the-core";
const log = createLogger("silent");

/** What has the parts of a test closed when it has finished, in reverse. */
type Finish = TestContext["onTestFinished"];

/** Whenever submissions have come to any core. */
const submissions = createSignal();

interface Core {
  readonly port: number;
  calls: number;
  /** The trace ids of the submissions that came. */
  readonly submitted: string[];
  close(): Promise<void>;
}

async function startCore(finish: Finish, at = 0): Promise<Core> {
  const server = createCoreServer({
    host: "127.0.0.1",
    port: at,
    tokens: { operator: TOKEN },
    clock: systemClock,
    log,
  });
  let closed: Promise<void> | undefined;
  const core = {
    port: at,
    calls: 0,
    submitted: [] as string[],
    close: () => {
      closed ??= server.close(100);
      return closed;
    },
  };
  server.add(
    served(SandboxService, {
      listSandboxMessages: async () => {
        core.calls++;
        return {};
      },
      getSandboxMessage: () => Promise.reject(new Error("not asked for")),
      removeSandboxMessage: () => Promise.reject(new Error("not asked for")),
      clearSandboxMessages: () => Promise.reject(new Error("not asked for")),
    }),
  );
  server.add(
    served(EmailService, {
      sendEmail: () => Promise.reject(new Error("not asked for")),
      listEmails: () => Promise.reject(new Error("not asked for")),
      getEmail: () => Promise.reject(new Error("not asked for")),
      cancelEmail: () => Promise.reject(new Error("not asked for")),
      sendEmailBatch: async ({ requests }) => {
        core.submitted.push(...requests.map(({ traceId }) => traceId));
        submissions.tell();
        return {
          results: requests.map(({ traceId }) => ({
            outcome: { case: "response" as const, value: { traceId } },
          })),
        };
      },
    }),
  );
  core.port = await server.listen();
  finish(core.close);
  return core;
}

/** Longer than it takes to find out that a core is silent: no call may need it. */
const PATIENCE_MS = 120_000;

interface Client extends CoreClient {
  /** Whenever it knows anew which cores answer. */
  readonly links: Signal<void>;
}

function connect(
  finish: Finish,
  address: string,
  options: Partial<Parameters<typeof connectCoreClient>[0]> = {},
): Client {
  const links = createSignal();
  const onLinks = links.tell;
  const client = connectCoreClient({ address, token: TOKEN, deadlineMs: 5_000, onLinks, ...options });
  finish(client.close);
  return { ...client, links };
}

async function callMany(client: CoreClient): Promise<void> {
  for (let i = 0; i < 10; i++) await client.sandbox.listSandboxMessages({});
}

async function startProxy(
  finish: Finish,
  { port }: Core,
  at?: { host: string; port: number },
): Promise<TcpProxy> {
  const proxy = await startTcpProxy({ host: "127.0.0.1", port }, at);
  finish(proxy.close);
  return proxy;
}

/** Until calls have reached each of the cores: they are made again whenever the client knows of others. */
async function untilCalled(client: Client, cores: readonly Core[]): Promise<void> {
  for (const core of cores) core.calls = 0;
  for (;;) {
    const changed = client.links.next();
    changed.catch(() => undefined);
    await callMany(client).catch(() => undefined);
    if (cores.every(({ calls }) => calls > 0)) return;
    await changed;
  }
}

const silences: readonly (readonly [string, readonly Direction[]])[] = [
  ["both ways", ["to the server", "from the server"]],
  ["and hears nothing", ["to the server"]],
  ["and hears all", ["from the server"]],
];

// Most of them wait for the keepalive of the channels, which each has for itself.
describe.concurrent("several cores", () => {
  it("share the calls, and one that goes away is passed over until it is back", async ({
    onTestFinished: finish,
  }) => {
    const [first, second] = [await startCore(finish), await startCore(finish)];
    const client = connect(finish, `127.0.0.1:${first.port}, 127.0.0.1:${second.port}`);
    await untilCalled(client, [first, second]);

    await first.close();
    await untilCalled(client, [second]);
    await callMany(client);
    expect(await client.ready()).toBe(true);

    const again = await startCore(finish, first.port);
    await untilCalled(client, [again]);
  });

  it("serve a caller whose first core was never there", async ({ onTestFinished: finish }) => {
    const core = await startCore(finish);
    const client = connect(finish, `127.0.0.1:${await freePort()},127.0.0.1:${core.port}`);
    await callMany(client);
    expect(core.calls).toBe(10);
  });

  it("are told to be away when none is there", async ({ onTestFinished: finish }) => {
    const client = connect(finish, `127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`);
    await expect(client.sandbox.listSandboxMessages({})).rejects.toMatchObject({ code: "core.unavailable" });
    expect(await client.ready()).toBe(false);
  });

  it("are found by a name of which one address answers", async ({ onTestFinished: finish }) => {
    const core = await startCore(finish);
    await callMany(connect(finish, `localhost:${core.port}`));
    expect(core.calls).toBe(10);
  });

  it.for(silences)(
    "answer for one that falls silent %s, which is asked again when it is back",
    async ([_how, silent], { onTestFinished: finish }) => {
      const cores = [await startCore(finish), await startCore(finish)] as const;
      const proxies = [await startProxy(finish, cores[0]), await startProxy(finish, cores[1])] as const;
      const client = connect(finish, proxies.map(({ port }) => `127.0.0.1:${port}`).join(), {
        deadlineMs: PATIENCE_MS,
      });
      await untilCalled(client, cores);

      proxies[0].swallow(silent);
      // Both are asked, as nobody knows yet: what is not answered moves.
      await Promise.all(Array.from({ length: 10 }, () => callMany(client)));
      await callMany(client);
      expect(await client.ready()).toBe(true);

      proxies[0].heal();
      await untilCalled(client, cores);
    },
  );

  it("take a submission over when one falls silent, and only one that nobody stores twice", async ({
    onTestFinished: finish,
  }) => {
    const cores = [await startCore(finish), await startCore(finish)] as const;
    const proxies = [await startProxy(finish, cores[0]), await startProxy(finish, cores[1])] as const;
    const client = connect(finish, proxies.map(({ port }) => `127.0.0.1:${port}`).join(), {
      deadlineMs: PATIENCE_MS,
    });
    await untilCalled(client, cores);

    // What comes to it is taken, and nobody hears of it.
    proxies[0].swallow(["from the server"]);
    const answers: Promise<{ traceId: string; keyed: boolean; answer: string }>[] = [];
    while (cores[0].submitted.length < 2 || cores[1].submitted.length < 2) {
      for (const keyed of [true, false]) {
        const traceId = `${answers.length}`;
        const sent = client.sendEmail({ traceId, idempotencyKey: keyed ? traceId : "" });
        answers.push(
          sent.then(
            (stored) => ({ traceId, keyed, answer: stored.traceId }),
            (refused) => ({ traceId, keyed, answer: refused.code }),
          ),
        );
      }
      await submissions.until(() =>
        cores.some(({ submitted }) => submitted.includes(`${answers.length - 1}`)),
      );
    }

    for (const { traceId, keyed, answer } of await Promise.all(answers)) {
      const [first, second] = cores.map(({ submitted }) => submitted.includes(traceId));
      expect([traceId, keyed, second]).toEqual([traceId, keyed, keyed || !first]);
      expect(answer).toBe(second ? traceId : "core.connection_lost");
    }
  });

  it("under one name answer for each other as those of a list do", async ({ onTestFinished: finish }) => {
    const cores = [await startCore(finish), await startCore(finish)] as const;
    const first = await startProxy(finish, cores[0]);
    await startProxy(finish, cores[1], { host: "127.0.0.2", port: first.port });
    const lookup = async () => ["127.0.0.1", "127.0.0.2"];
    const client = connect(finish, `cores.example:${first.port}`, { lookup, deadlineMs: PATIENCE_MS });
    await untilCalled(client, cores);

    first.swallow();
    await Promise.all(Array.from({ length: 10 }, () => callMany(client)));

    first.heal();
    await untilCalled(client, cores);
  });

  it("are known to be away while the only one is silent, and nothing waits for it", async ({
    onTestFinished: finish,
  }) => {
    const core = await startCore(finish);
    const proxy = await startProxy(finish, core);
    const client = connect(finish, `127.0.0.1:${proxy.port}`, { deadlineMs: PATIENCE_MS });
    await untilCalled(client, [core]);

    proxy.swallow();
    for (let i = 0; i < 20; i++) {
      await expect(client.sandbox.listSandboxMessages({})).rejects.toMatchObject({
        code: "core.unavailable",
      });
    }
    await expect(client.sendEmail({})).rejects.toMatchObject({
      code: "core.unavailable",
      retryAfterSeconds: 1,
    });
    expect(await client.ready()).toBe(false);

    proxy.heal();
    await untilCalled(client, [core]);
  });

  it("are not asked, after a call that one has not answered in time, before it says that it serves", async ({
    onTestFinished: finish,
  }) => {
    const cores = [await startCore(finish), await startCore(finish)] as const;
    const proxies = [await startProxy(finish, cores[0]), await startProxy(finish, cores[1])] as const;
    // Shorter than the keepalive takes.
    const client = connect(finish, proxies.map(({ port }) => `127.0.0.1:${port}`).join(), {
      deadlineMs: 3_000,
    });
    await untilCalled(client, cores);

    proxies[0].swallow();
    for (let refused = false; !refused; ) {
      const calls = Array.from({ length: 4 }, () => client.sandbox.listSandboxMessages({}));
      refused = (await Promise.allSettled(calls)).some(({ status }) => status === "rejected");
    }
    await callMany(client);
  });
});
