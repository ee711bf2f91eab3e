import path from "node:path";
import { isReaderGone } from "./cli/output/write-parts.ts";
import { runCommandLine } from "./cli/run-command-line.ts";
import { build, type Config, loadConfig } from "./config.ts";
import { announcement } from "./roles/announce.ts";
import { readCoreAccess } from "./roles/data-dir.ts";
import { fault } from "./shared/fault.ts";
import { createLogger } from "./shared/logger.ts";

/** Time after which a stopped process exits with open resources. */
const LEFT_OVER_MS = 1_000;
/** Time after the drain for closing: a store that does not answer must not keep the process running. */
const CLOSING_MS = 15_000;

/** Runs until SIGTERM or SIGINT, then drains; a second signal ends at once. */
async function run({
  roles,
  holdDelivery,
}: {
  readonly roles: string;
  readonly holdDelivery: boolean;
}): Promise<void> {
  // Before anything else: a signal may arrive as soon as the process runs.
  const signalled = stopSignal();
  const stopRequested = new AbortController();
  signalled.then(() => stopRequested.abort());
  const loaded = loadConfig();
  const config = holdDelivery ? { ...loaded, delivery: { ...loaded.delivery, isHeld: true } } : loaded;
  const log = createLogger(config.logLevel);
  // Loaded only now, so that invalid settings are reported without loading the whole program.
  const { start } = await import("./roles/start.ts");
  const started = await start(config, roles, log, undefined, stopRequested.signal);
  log.info({ version: build, roles, ...started.addresses }, "started");
  // On standard output, without log lines; and last, so that no line splits it if both outputs have the same target.
  const firstRunFile = path.resolve(config.dataDir, "first-run.json");
  const isTerminal = process.stdout.isTTY === true;
  process.stdout.write(`\n${announcement(started, { firstRunFile, isTerminal })}\n`);
  await started.firstRun?.shown();
  const reason = await Promise.race([signalled, started.gaveUp]);
  if (reason instanceof Error) log.error({ err: reason }, "draining, for this process can go on no longer");
  else log.info({ signal: reason }, "draining");
  const late = setTimeout(() => {
    log.error({ waitingFor: process.getActiveResourcesInfo() }, "ends without having closed everything");
    process.exit(1);
  }, config.drainMs + CLOSING_MS);
  await started.stop();
  clearTimeout(late);
  log.info("stopped");
  setTimeout(() => {
    log.warn({ waitingFor: process.getActiveResourcesInfo() }, "something was left open");
    process.exit();
  }, LEFT_OVER_MS).unref();
  if (reason instanceof Error) throw reason;
}

/** Resolves to the first signal to end the process. A second one ends it at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let signals = 0;
    for (const name of ["SIGTERM", "SIGINT"] as const) {
      process.on(name, () => (signals++ === 0 ? resolve(name) : process.exit(1)));
    }
  });
}

/** Address and token of the core: from the settings, else as recorded by the core that uses this data folder. */
async function coreAccess(config: Config) {
  const saved = await readCoreAccess(config.dataDir);
  return {
    address: config.grpc.address ?? saved?.address ?? `127.0.0.1:${config.grpc.port}`,
    token: config.grpc.tokens.operator ?? saved?.token,
  };
}

let triedAddress: string | undefined;

async function connect() {
  const config = loadConfig();
  const { address, token } = await coreAccess(config);
  triedAddress = address;
  if (token === undefined) throw fault("core.unavailable");
  const { connectCore } = await import("./roles/connect-core.ts");
  return connectCore(config, address, token);
}

process.stdout.on("error", (error) => {
  // A reader such as `head` has read enough.
  if (isReaderGone(error)) return;
  process.stderr.write(`hermod: the output cannot be written: ${error.message}\n`);
  process.exit(1);
});

// Not awaited: in the bundled program, no module awaits anything while it is loaded.
void runCommandLine(process.argv.slice(2), {
  start: run,
  connect,
  compact: async (progress) => {
    const { compact } = await import("./roles/compact.ts");
    return compact(loadConfig(), progress);
  },
  coreAddress: () => triedAddress ?? "the address in the settings",
  version: build,
  out: process.stdout,
  err: process.stderr,
}).then((code) => {
  process.exitCode = code;
});
