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

/** Closes the parts of a finished test in reverse order. */
type Finish = TestContext["onTestFinished"];

/** Set when submissions have arrived at any core. */
const submissions = createSignal();

interface Core {
  readonly port: number;
  calls: number;
  /** Trace ids of the received submissions. */
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

/** Longer than the detection of a silent core: no call may need it. */
const PATIENCE_MS = 120_000;

interface Client extends CoreClient {
  /** Set when the client's view of the available cores changes. */
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

/** Waits until calls have reached each of the cores; they are repeated when the client's view changes. */
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

// Most of them wait for the keepalive of the channels, which is separate for each.
describe.concurrent("several cores", () => {
  it("share the calls, and an unavailable one is skipped until it is available again", async ({
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

  it("serve a caller after its first core was never available", async ({ onTestFinished: finish }) => {
    const core = await startCore(finish);
    const client = connect(finish, `127.0.0.1:${await freePort()},127.0.0.1:${core.port}`);
    await callMany(client);
    expect(core.calls).toBe(10);
  });

  it("are reported as unavailable if none is available", async ({ onTestFinished: finish }) => {
    const client = connect(finish, `127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`);
    await expect(client.sandbox.listSandboxMessages({})).rejects.toMatchObject({ code: "core.unavailable" });
    expect(await client.ready()).toBe(false);
  });

  it("are found by a name with one answering address", async ({ onTestFinished: finish }) => {
    const core = await startCore(finish);
    await callMany(connect(finish, `localhost:${core.port}`));
    expect(core.calls).toBe(10);
  });

  it.for(silences)(
    "take over for one that becomes silent %s, which is called again when it is available",
    async ([_how, silent], { onTestFinished: finish }) => {
      const cores = [await startCore(finish), await startCore(finish)] as const;
      const proxies = [await startProxy(finish, cores[0]), await startProxy(finish, cores[1])] as const;
      const client = connect(finish, proxies.map(({ port }) => `127.0.0.1:${port}`).join(), {
        deadlineMs: PATIENCE_MS,
      });
      await untilCalled(client, cores);

      proxies[0].swallow(silent);
      // Both are called, because their state is unknown yet: unanswered calls move to the other one.
      await Promise.all(Array.from({ length: 10 }, () => callMany(client)));
      await callMany(client);
      expect(await client.ready()).toBe(true);

      proxies[0].heal();
      await untilCalled(client, cores);
    },
  );

  it("take over a submission when one becomes silent, if it cannot be stored twice", async ({
    onTestFinished: finish,
  }) => {
    const cores = [await startCore(finish), await startCore(finish)] as const;
    const proxies = [await startProxy(finish, cores[0]), await startProxy(finish, cores[1])] as const;
    const client = connect(finish, proxies.map(({ port }) => `127.0.0.1:${port}`).join(), {
      deadlineMs: PATIENCE_MS,
    });
    await untilCalled(client, cores);

    // The proxy accepts calls and loses the answers.
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

  it("under one name take over for each other like those of a list", async ({ onTestFinished: finish }) => {
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

  it("are known to be unavailable while the only one is silent, and no call waits for it", async ({
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

  it("are not called after a timeout until they report that they serve", async ({
    onTestFinished: finish,
  }) => {
    const cores = [await startCore(finish), await startCore(finish)] as const;
    const proxies = [await startProxy(finish, cores[0]), await startProxy(finish, cores[1])] as const;
    // Shorter than the keepalive.
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
