import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { eventually } from "./start-hermod.ts";
import { freePort } from "./tcp-proxy.ts";

export interface PrometheusAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly endsAt?: string;
}

/** A Prometheus Alertmanager with its own folder. */
export interface Alertmanager {
  /** Sends alerts with their end times, like Prometheus. */
  send(...alerts: readonly PrometheusAlert[]): Promise<void>;
  /** Suppresses the alerts with these labels for an hour. */
  silence(labels: Readonly<Record<string, string>>): Promise<void>;
  /** A counter of its webhook receiver. */
  count(metric: string): Promise<number>;
  /** Ends it by SIGKILL, and starts it again with the same folder. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts an Alertmanager with a single node.
 * @param configOf its configuration; files are in the given folder
 * @param files further files by name
 */
export async function startAlertmanager(
  configOf: (folder: string) => string,
  files: Readonly<Record<string, string>> = {},
): Promise<Alertmanager> {
  const folder = await mkdtemp(path.join(tmpdir(), "hermod-alertmanager-"));
  const all = { ...files, "alertmanager.yml": configOf(folder) };
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(folder, name), text);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;

  async function start(): Promise<ChildProcess> {
    const started = spawn(
      "alertmanager",
      [
        `--config.file=${path.join(folder, "alertmanager.yml")}`,
        `--storage.path=${path.join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--cluster.listen-address=",
      ],
      { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
    );
    let log = "";
    started.stderr.on("data", (chunk) => {
      log += chunk;
    });
    await eventually(async () => {
      if (started.exitCode !== null) throw new Error(`Alertmanager did not start:\n${log}`);
      const answer = await fetch(`${url}/-/ready`).catch(() => undefined);
      return answer?.ok || undefined;
    }).catch(async (error) => {
      await end(started, "SIGKILL");
      throw error;
    });
    return started;
  }

  async function post(about: string, body: unknown): Promise<void> {
    const response = await fetch(`${url}/api/v2/${about}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([response.status, response.ok || (await response.text())]).toEqual([200, true]);
  }

  let child = await start();
  return {
    send: (...alerts) => post("alerts", alerts),
    silence: (labels) =>
      post("silences", {
        matchers: Object.entries(labels).map(([name, value]) => ({ name, value, isRegex: false })),
        startsAt: new Date().toISOString(),
        endsAt: new Date(Date.now() + 3_600_000).toISOString(),
        createdBy: "test",
        comment: "test",
      }),
    count: async (metric) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const line = new RegExp(`^${metric}\\{(?:.*,)?integration="webhook"(?:,.*)?\\} (\\S+)$`, "gm");
      return [...text.matchAll(line)].reduce((sum, [, value]) => sum + Number(value), 0);
    },
    crash: async () => {
      await end(child, "SIGKILL");
      child = await start();
    },
    stop: async () => {
      await end(child, "SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
