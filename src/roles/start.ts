import { availableParallelism, totalmem } from "node:os";
import { constrainedMemory } from "node:process";
import { setLogger } from "@grpc/grpc-js";
import { createMetrics } from "../admin/metrics.ts";
import type { SendExample } from "../admin/server.ts";
import { roles as allRoles, type Config, commit, type Role, version } from "../config.ts";
import type { FirstRun } from "../core/first-run.ts";
import type { SystemMailState } from "../core/system-mail/system-mail-state.ts";
import type { CallerTokens } from "../rpc/callers.ts";
import { type CoreClient, createCoreClient } from "../rpc/client.ts";
import { startBackground } from "../shared/background.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { fault } from "../shared/fault.ts";
import { createLifecycle } from "../shared/lifecycle.ts";
import type { Logger } from "../shared/logger.ts";
import { StartupError } from "../shared/startup-error.ts";
import { createSteadyClock, type SteadyClock } from "../shared/steady-clock.ts";
import { type Addresses, addressesOf, baseUrlOf, loopbackFor } from "./addresses.ts";
import { composeAdmin } from "./admin.ts";
import { processBackground, storeBackground } from "./background.ts";
import { acceptedTokens, credentialTokens, requireCoreElsewhere } from "./caller-tokens.ts";
import { connectCore } from "./connect-core.ts";
import type { BuiltCore } from "./core.ts";
import { type DataDir, openDataDir, type SendingKey } from "./data-dir.ts";
import type { FirstRunSteps, ShownFirstRun } from "./first-run.ts";
import { composeFrontEnds } from "./front-ends.ts";
import { describeFullDisk, writeOrDefer } from "./full-disk.ts";
import type { Process } from "./process.ts";
import { requireSecretKeys } from "./secret-keys.ts";
import type { FrontEndThread } from "./start-front-end-thread.ts";
import type { OpenStore } from "./store.ts";
import { checkTls } from "./tls.ts";
import type { BuiltWorker } from "./worker.ts";

/** Loaded only if needed: a front end does not need the database driver, nor a worker an HTTP server. */
const parts = {
  store: () => import("./store.ts"),
  accountSettings: () => import("../core/access/account-settings.ts"),
  core: () => import("./core.ts"),
  firstRun: () => import("./first-run.ts"),
  systemMail: () => import("./system-mail.ts"),
  worker: () => import("./worker.ts"),
  dispatchClient: () => import("./dispatch-client.ts"),
  frontEndThread: () => import("./start-front-end-thread.ts"),
};

/** A front-end thread uses 60 MB when idle, and twice that under load. */
const ROOMY_BYTES = 1024 ** 3;

export interface Started {
  readonly addresses: Addresses;
  /** True if the admin port has the sandbox inbox: it needs the operator's token, which not every process has. */
  readonly hasSandbox: boolean;
  /** undefined: the relay has no port with implicit TLS. */
  readonly smtpsPort: number | undefined;
  /** undefined: no bounces are accepted here. */
  readonly bouncePort: number | undefined;
  readonly roles: ReadonlySet<Role>;
  /** undefined: this process has no core. */
  readonly systemMail: SystemMailState | undefined;
  /** Result of the first run until it is used; undefined: it was used, or created elsewhere. */
  readonly firstRun: ShownFirstRun | undefined;
  /** Resolves with the reason when the process cannot continue and must be stopped. */
  readonly gaveUp: Promise<StartupError>;
  /** Drains and closes everything, in reverse order. */
  stop(): Promise<void>;
}

/**
 * Starts the roles of one process. Started parts are closed again when a later part fails; the first account is created at the
 * very end, by a process with open ports.
 * @param stopRequested aborted when the process is to end
 * @throws StartupError naming the invalid setting
 */
export async function start(
  config: Config,
  roleNames: string,
  log: Logger,
  clock: Clock = systemClock,
  stopRequested: AbortSignal = new AbortController().signal,
): Promise<Started> {
  const lifecycle = createLifecycle(log);
  const draining = new AbortController();
  lifecycle.onDrain(() => draining.abort());
  let giveUp: (reason: StartupError) => void = () => undefined;
  const gaveUp = new Promise<StartupError>((resolve) => {
    giveUp = resolve;
  });
  try {
    const roles = readRoles(roleNames);
    const metrics = createMetrics();
    metrics.build.set({ version, commit, node: globalThis.process.versions.node }, 1);
    const process: Process = {
      config,
      log,
      clock: steady(clock, { roles, log, metrics }),
      metrics,
      lifecycle,
      signal: AbortSignal.any([stopRequested, draining.signal]),
      giveUp,
    };
    logGrpc(log);
    return { ...(await startRoles(process, roles)), gaveUp };
  } catch (error) {
    await lifecycle.close(0);
    throw describeFullDisk(config, error);
  }
}

/** Without a store no time can be read to verify a step, and nothing depends on dates: it is accepted at once. */
function steady(
  clock: Clock,
  { roles, log, metrics }: Pick<Process, "log" | "metrics"> & { readonly roles: ReadonlySet<Role> },
): SteadyClock {
  return createSteadyClock(clock, {
    ...(!usesStore(roles) && { believeAfterMs: 0 }),
    onStep: (stepMs) => {
      metrics.clockSteps.inc();
      log.warn({ stepMs: Math.round(stepMs) }, "the wall clock has stepped");
    },
  });
}

function usesStore(roles: ReadonlySet<Role>): boolean {
  return roles.has("core") || roles.has("worker");
}

function readRoles(names: string): ReadonlySet<Role> {
  const given = names.split(",");
  return new Set(given.includes("all") ? allRoles : allRoles.filter((role) => given.includes(role)));
}

async function startRoles(process: Process, roles: ReadonlySet<Role>): Promise<Omit<Started, "gaveUp">> {
  const { config, lifecycle } = process;
  if (config.store.mongodbUrl === undefined && roles.has("worker") && !roles.has("core")) {
    throw new StartupError(
      "MONGODB_URL: must be set for a worker in its own process, because the embedded engine serves only the process of the core.",
    );
  }
  if (!roles.has("core")) requireCoreElsewhere(config, roles);
  if (usesStore(roles)) requireSecretKeys(config);
  checkTls(config, roles);
  const dataDir = await openDataDir(config.dataDir);
  const thread = await frontEndThread(process, roles);
  const checks: Record<string, () => Promise<void>> = {};
  const tokens = roles.has("core") ? await acceptedTokens(config, dataDir) : undefined;
  const credentials = credentialTokens(config, tokens);

  const opened = usesStore(roles)
    ? await (await parts.store()).openStore(process, dataDir, roles)
    : undefined;
  if (opened) checks.store = opened.ping;
  for (const work of processBackground(process, opened?.time)) startBackground(work, process);
  const built = opened && (await buildOnStore(process, opened, { roles, dataDir, tokens }));
  const grpcPort = await built?.core?.start();
  await built?.worker?.start();
  if (opened && built?.worker) {
    const { composeDispatchClient } = await parts.dispatchClient();
    composeDispatchClient(process, { opened, worker: built.worker, token: credentials.worker ?? "" });
  }
  if (opened) {
    for (const work of storeBackground(opened, process)) startBackground(work, process);
  }

  const firstRun = built?.firstRun;
  const ownAddress = `${loopbackFor(config.grpc.host)}:${grpcPort}`;
  const grpcAddress = config.grpc.address ?? ownAddress;
  const ownCore = config.grpc.address === undefined ? built?.core : undefined;
  const core = ownCore
    ? createCoreClient(ownCore.calls("front_end"))
    : connectCore(config, grpcAddress, credentials.frontEnd ?? credentials.worker ?? "");
  lifecycle.defer("core client", () => core.close());
  if (frontEndsOf(roles).length > 0) checks.core = () => coreIsReady(core);
  const sendingKey = await sendingKeyOf(firstRun, dataDir);
  const threaded = built?.core && (await thread?.start(built.core.wireCalls("front_end"), sendingKey));
  const { http, smtp, ...frontEnds } =
    threaded ?? (await composeFrontEnds(process, core, { roles, dataDir: dataDir.path, sendingKey }));
  Object.assign(checks, frontEnds.checks);
  const ports = { http: http?.port, smtp: smtp?.port, grpc: grpcPort };
  built?.core?.frontEndsListen({ http: http?.port, smtp: smtp?.port, smtps: smtp?.tlsPort });
  const sandbox = built?.core
    ? createCoreClient(built.core.calls("operator")).sandbox
    : operatorSandbox(config, core);
  const admin = await composeAdmin(process, {
    sandbox,
    example: exampleFor(baseUrlOf(config, ports.http), firstRun?.expected),
    checks,
    otherMetrics: async () => (threaded ? [await threaded.metrics()] : []),
  });
  const addresses = addressesOf(config, { ...ports, admin: admin.port });
  if (tokens) {
    const access = { address: grpcAddress, token: tokens.operator };
    await writeOrDefer(process, "core-access.json", () => dataDir.saveCoreAccess(access));
  }
  const { bouncePort, tlsPort: smtpsPort } = smtp ?? {};
  const systemMail =
    opened && tokens && (await (await parts.systemMail()).checkSystemMail(process, opened.store));
  const shown = tokens && (await firstRun?.finish(addresses, tokens.operator));
  return {
    addresses,
    hasSandbox: sandbox !== undefined,
    smtpsPort,
    bouncePort,
    roles,
    systemMail,
    firstRun: shown,
    stop: () => lifecycle.close(config.drainMs),
  };
}

function frontEndsOf(roles: ReadonlySet<Role>): Role[] {
  return [...roles].filter((role) => role === "edge" || role === "smtp");
}

/** undefined: the front ends run in the main thread. */
async function frontEndThread(
  process: Process,
  roles: ReadonlySet<Role>,
): Promise<FrontEndThread | undefined> {
  const { frontEndThread: wanted, grpc } = process.config;
  const frontEnds = frontEndsOf(roles);
  // Front ends of another core wait for that, and there is no other work here.
  if (frontEnds.length === 0 || !roles.has("core") || grpc.address !== undefined) return undefined;
  if (wanted === "never" || (wanted === "auto" && !isRoomy())) return undefined;
  return (await parts.frontEndThread()).openFrontEndThread(process, frontEnds);
}

/** True if a second thread is useful and affordable. */
function isRoomy(): boolean {
  return availableParallelism() > 1 && (constrainedMemory() || totalmem()) >= ROOMY_BYTES;
}

/** The composed roles of a process with a store, not started yet. */
interface StoreRoles {
  readonly worker: BuiltWorker | undefined;
  readonly core: BuiltCore | undefined;
  readonly firstRun: FirstRunSteps | undefined;
}

async function buildOnStore(
  process: Process,
  opened: OpenStore,
  {
    roles,
    dataDir,
    tokens,
  }: { roles: ReadonlySet<Role>; dataDir: DataDir; tokens: CallerTokens | undefined },
): Promise<StoreRoles> {
  const { config, clock } = process;
  const { createAccountSettings } = await parts.accountSettings();
  const settings = createAccountSettings({ store: opened.store, clock, cacheMs: config.cacheMs });
  const worker = roles.has("worker")
    ? await (await parts.worker()).composeWorker(process, opened, settings)
    : undefined;
  if (!tokens) return { worker, core: undefined, firstRun: undefined };
  const { composeFirstRun } = await parts.firstRun();
  const { composeCore } = await parts.core();
  const firstRun = await composeFirstRun(process, opened.store, dataDir);
  const core = await composeCore(process, { ...opened, settings, tokens, worker });
  return { worker, core, firstRun };
}

/** Sending key of the first account; undefined: unknown here. */
async function sendingKeyOf(
  firstRun: FirstRunSteps | undefined,
  dataDir: DataDir,
): Promise<SendingKey | undefined> {
  if (!firstRun?.expected) return dataDir.sendingKey();
  const { smtpUsername: username, smtpPassword: password } = firstRun.expected;
  return { username, password };
}

/** Only the operator may see captured mail. */
function operatorSandbox(config: Config, core: CoreClient): CoreClient["sandbox"] | undefined {
  const { operator } = config.grpc.tokens;
  return operator !== undefined && credentialTokens(config, undefined).frontEnd === operator
    ? core.sandbox
    : undefined;
}

async function coreIsReady(core: CoreClient): Promise<void> {
  if (!(await core.ready())) throw fault("core.unavailable");
}

function exampleFor(baseUrl: string | undefined, credentials: FirstRun | undefined): SendExample | undefined {
  return baseUrl === undefined || !credentials ? undefined : { baseUrl, sender: credentials.sender };
}

/** grpc-js writes to the console; its messages belong into the log. */
function logGrpc(log: Logger): void {
  const write = (...words: unknown[]) => log.debug({ grpc: words.map(String).join(" ") }, "gRPC");
  setLogger({ error: write, info: write, debug: write });
}
