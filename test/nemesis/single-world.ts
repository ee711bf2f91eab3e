import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { MailNetwork } from "../harness/mail-network.ts";
import { mountSmallDisk } from "../harness/small-disk.ts";
import { connectCore, type FirstRunFile, newSettings } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { routeDirectly } from "./queue.ts";
import { supervise } from "./supervised.ts";
import type { World } from "./world.ts";

const DISK_MB = 512;

/** Every role in one process on the embedded engine, on a separate small disk if this user may mount one. */
export async function startSingleWorld(
  network: MailNetwork,
  settings: Readonly<Record<string, string>>,
): Promise<World> {
  const disk = await mountSmallDisk(DISK_MB);
  const directory = disk?.directory ?? (await mkdtemp(path.join(tmpdir(), "hermod-nemesis-")));
  const env: NodeJS.ProcessEnv = {
    ...(await newSettings()),
    ...network.settings,
    ...settings,
    HERMOD_DATA_DIR: path.join(directory, "data"),
    HERMOD_HTTP_PORT: String(await freePort()),
    HERMOD_SMTP_PORT: String(await freePort()),
    HERMOD_GRPC_PORT: String(await freePort()),
  };
  const hermod = await supervise({ name: "hermod", env, roles: "all" });
  const firstRun = JSON.parse(
    await readFile(path.join(directory, "data/first-run.json"), "utf8"),
  ) as FirstRunFile;
  const core = connectCore(env, firstRun.grpc);
  await routeDirectly(core);
  core.close();
  return {
    name: "one process, embedded engine",
    frontEnds: [
      {
        name: hermod.name,
        sendUrl: `${firstRun.base_url}/v1/email/send`,
        smtpPort: firstRun.smtp.port,
      },
    ],
    apiKey: firstRun.api_key,
    smtp: firstRun.smtp,
    processes: [hermod],
    coreLinks: [],
    storeLinks: [],
    network,
    database: undefined,
    fillDisk: disk?.fill,
    slowStore: async (ms) => {
      hermod.disturb({ stallMs: ms });
      return async () => hermod.disturb({ stallMs: 0 });
    },
    withStore: (use) => withStore({ env, dataDir: env.HERMOD_DATA_DIR ?? "" }, use),
    dispose: async () => {
      await hermod.dispose();
      await disk?.unmount();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
