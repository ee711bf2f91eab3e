import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { makeSignedZones, type Signing } from "./signed-zones.ts";
import { freePort } from "./tcp-proxy.ts";

export interface Unbound {
  /** As `address:port`. */
  readonly address: string;
  close(): Promise<void>;
}

export interface UnboundOptions {
  readonly zones: Readonly<Record<string, Signing>>;
  /** Address of the server of the zones that are signed `elsewhere`, as `address:port`. */
  readonly elsewhere?: string;
}

/** A validating Unbound that knows only a signed root and these zones below it. */
export async function startUnbound({ zones, elsewhere }: UnboundOptions): Promise<Unbound> {
  const directory = await mkdtemp(path.join(tmpdir(), "hermod-unbound-"));
  const { files, anchor } = await makeSignedZones(directory, zones);
  const port = await freePort();
  const settings = path.join(directory, "unbound.conf");
  const strangers = Object.keys(zones).filter((zone) => zones[zone] === "elsewhere");
  await writeFile(
    settings,
    [
      ...["server:", `  directory: "${directory}"`, '  username: ""', '  chroot: ""', '  pidfile: ""'],
      ...["  use-syslog: no", '  logfile: ""', `  interface: 127.0.0.1@${port}`, "  do-ip6: no"],
      ...['  module-config: "validator iterator"', `  trust-anchor: "${anchor}"`, "  ede: yes"],
      // The built-in zone for test names would take precedence.
      ...['  local-zone: "test." nodefault', "  do-not-query-localhost: no", "  trust-anchor-signaling: no"],
      ...["remote-control:", "  control-enable: no"],
      ...[...files].flatMap(([zone, file]) => [
        ...["auth-zone:", `  name: "${zone}"`, `  zonefile: "${file}"`],
        // Answers pass through the validator, like those of other servers.
        ...["  for-downstream: no", "  for-upstream: yes", "  fallback-enabled: no"],
      ]),
      ...strangers.flatMap((zone) => [
        ...["stub-zone:", `  name: "${zone}"`, `  stub-addr: ${elsewhere?.replace(":", "@")}`],
      ]),
      "",
    ].join("\n"),
  );
  const child = spawn("/usr/sbin/unbound", ["-d", "-c", settings], { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`Unbound did not start: ${lines.join(" ")}`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      if (line.includes("start of service")) resolve();
    });
  });
  return {
    address: `127.0.0.1:${port}`,
    close: async () => {
      child.kill("SIGTERM");
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
