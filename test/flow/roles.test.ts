import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { inParallel } from "../../src/shared/in-parallel.ts";
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
import { allMessages, untilAllCaptured } from "../harness/stored.ts";
import { freePort } from "../harness/tcp-proxy.ts";

const token = randomBytes(32).toString("base64url");
const started: HermodProcess[] = [];
const folders: NodeJS.ProcessEnv[] = [];

/** A core that can be restarted at the same address. */
async function startCore(roles: string): Promise<Hermod> {
  const settings = { HERMOD_GRPC_TOKEN: token, HERMOD_GRPC_PORT: String(await freePort()) };
  return startHermod({ roles, settings });
}

/** A process with another role, which only shares the core's address and token. */
async function join(core: Hermod, roles: string, more: Readonly<Record<string, string>> = {}) {
  const settings = await newSettings();
  folders.push(settings);
  const { MONGODB_URL, MONGODB_DATABASE } = core.env;
  const store = roles.includes("worker") ? { MONGODB_URL, MONGODB_DATABASE } : { MONGODB_URL: "" };
  const joining = await startProcess(
    {
      ...settings,
      ...store,
      HERMOD_GRPC_TOKEN: token,
      HERMOD_GRPC_ADDRESS: core.firstRun.grpc.address,
      ...more,
    },
    roles,
  );
  started.push(joining);
  return joining;
}

/** The core's Hermod as clients see it, through this edge. */
function through(edge: HermodProcess, core: Hermod): Hermod {
  const baseUrl = /API +(http:\S+)/.exec(edge.stdout())?.[1] ?? "";
  return { ...core, firstRun: { ...core.firstRun, base_url: baseUrl } };
}

async function endAll(): Promise<void> {
  await Promise.all(started.splice(0).map((running) => running.kill()));
  await Promise.all(
    folders.splice(0).map(({ HERMOD_DATA_DIR }) => removeData({ HERMOD_DATA_DIR } as NodeJS.ProcessEnv)),
  );
}

describe("a separate edge", () => {
  let core: Hermod;
  let edge: HermodProcess;

  beforeAll(async () => {
    core = await startCore("core,worker");
    edge = await join(core, "edge", {
      // Longer than the first acceptance on a slow machine with three nodes, and shorter than the detection of a hanging
      // core.
      HERMOD_CORE_DEADLINE_MS: "3000",
      HERMOD_KEY_CACHE_MS: "60000",
    });
  });
  afterAll(async () => {
    await endAll();
    await core.dispose();
  });

  it("accepts a message that the worker delivers", async () => {
    const { status, accepted } = await post(through(edge, core), email());
    expect(status).toBe(202);
    expect(await untilAllCaptured(core)).toMatchObject([{ id: accepted.message_id, state: "captured" }]);
  });

  it("announces only its own services", () => {
    expect(edge.stdout()).toMatch(/API +http:\/\/127\.0\.0\.1:[1-9]/);
    expect(core.stdout()).toContain(core.firstRun.grpc.address);
    expect(core.stdout()).not.toContain("curl");
    expect(core.stdout()).not.toContain(":0/");
  });

  it("answers 503 with Retry-After while the core is unavailable, and recovers automatically", async () => {
    const before = (await allMessages(core)).length;
    await core.kill();
    const refused = await post(through(edge, core), email(), { headers: { "idempotency-key": "away" } });
    expect(refused.status).toBe(503);
    // The edge may or may not have noticed the end already.
    expect(["core.unavailable", "core.connection_lost"]).toContain(refused.problem.code);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("content-type")).toMatch(/^application\/problem\+json/);

    core = await core.restart();
    const accepted = await eventually(async () => {
      const answer = await post(through(edge, core), email(), { headers: { "idempotency-key": "away" } });
      return answer.status === 202 ? answer : undefined;
    });
    expect(accepted.status).toBe(202);
    // A restarted core may store a submission that its edge has given up: then this was its repetition.
    expect(await untilAllCaptured(core)).toHaveLength(before + 1);
  });

  it("answers 503 core.timeout if the core hangs, and accepts a retry with the key once", async () => {
    const before = (await allMessages(core)).length;
    const options = { headers: { "idempotency-key": "hanging" } };
    process.kill(core.pid, "SIGSTOP");
    try {
      const refused = await post(through(edge, core), email(), options);
      expect([refused.status, refused.problem.code]).toEqual([503, "core.timeout"]);
      expect(refused.headers.get("retry-after")).toMatch(/^[1-9]/);
    } finally {
      process.kill(core.pid, "SIGCONT");
    }
    await eventually(async () => {
      const answer = await post(through(edge, core), email(), options);
      return answer.status === 202 ? true : undefined;
    });
    expect(await untilAllCaptured(core)).toHaveLength(before + 1);
  });

  it("does not make clients wait for a hanging core, and sends nothing later that it has refused", async () => {
    // Its key is cached from now on, so only submissions wait for the core.
    expect((await post(through(edge, core), email())).status).toBe(202);
    const before = (await untilAllCaptured(core)).length;
    const codes: string[] = [];
    /** undefined: accepted. */
    const refusal = async () => {
      const { status, problem, headers } = await post(through(edge, core), email());
      if (status === 202) return undefined;
      expect([status, headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^[1-9]/)]);
      codes.push(problem.code);
      return problem.code;
    };
    process.kill(core.pid, "SIGSTOP");
    try {
      expect(await Promise.all(Array.from({ length: 200 }, refusal))).not.toContain(undefined);
      await eventually(async () => ((await refusal()) === "core.unavailable" ? true : undefined));
      // From now on the core is known to hang: nothing is sent to it, however busy this machine is.
      const known = await Promise.all(Array.from({ length: 20 }, refusal));
      expect(new Set(known)).toEqual(new Set(["core.unavailable"]));
    } finally {
      process.kill(core.pid, "SIGCONT");
    }
    await eventually(async () => ((await refusal()) === undefined ? true : undefined));
    const certain = codes.filter((code) => code === "core.unavailable").length;
    expect(certain).toBeGreaterThan(1);
    expect((await untilAllCaptured(core)).length - before).toBeLessThanOrEqual(codes.length - certain + 1);
  });

  it("answers 503, not 401, with a wrong token of its own: the client's key is not at fault", async () => {
    const mistaken = await join(core, "edge", { HERMOD_GRPC_TOKEN: "wrong" });
    const refused = await post(through(mistaken, core), email());
    expect([refused.status, refused.problem.code]).toEqual([503, "core.unavailable"]);
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]/);
  });
});

describe.skipIf(!process.env.MONGODB_URL)("edge, core and two workers, each a process", () => {
  let core: Hermod | undefined;
  afterEach(async () => {
    await endAll();
    await core?.dispose();
  });

  async function deliveries({ adminUrl }: HermodProcess): Promise<number> {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    const found = metrics.matchAll(/^hermod_deliveries_total\{[^}]*\} (\d+)/gm);
    return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** To many domains, and so to all partitions. */
  async function postMany(running: Hermod, count: number): Promise<void> {
    await inParallel([...Array(count).keys()], 8, async (number) => {
      const { status } = await post(running, email({ to: `ada@domain-${number}.example` }));
      expect(status).toBe(202);
    });
  }

  it("share the partitions, and a killed worker strands no message", { timeout: 180_000 }, async () => {
    core = await startCore("core");
    const edge = through(await join(core, "edge"), core);
    const [dying, surviving] = [await join(core, "worker"), await join(core, "worker")];
    let posted = 0;
    await eventually(async () => {
      await postMany(edge, 32);
      posted += 32;
      const counts = await Promise.all([deliveries(dying), deliveries(surviving)]);
      return counts.every((count) => count > 0) ? true : undefined;
    }, 60_000);

    const load = postMany(edge, 200);
    await dying.kill();
    await load;
    const stored = await untilAllCaptured(core);
    expect(stored).toHaveLength(posted + 200);
    expect(new Set(stored.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  });

  it("release the partitions of a stopping worker immediately", { timeout: 180_000 }, async () => {
    core = await startCore("core");
    const edge = through(await join(core, "edge"), core);
    const [leaving, staying] = [await join(core, "worker"), await join(core, "worker")];
    await eventually(async () => {
      await postMany(edge, 32);
      return (await deliveries(leaving)) > 0 ? true : undefined;
    }, 60_000);
    expect(await leaving.stop()).toBe(0);
    await postMany(edge, 64);
    await untilAllCaptured(core);
    expect(await deliveries(staying)).toBeGreaterThan(0);
  });
});
