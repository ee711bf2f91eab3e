// Runs the new build once: it starts with an empty data folder, accepts an email and delivers it to its
// sandbox, answers a command and stops. V8's compiled code is stored (scripts/write-code-caches.js).
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { FREE_PORTS } from "./free-ports.js";

const MAIN = path.resolve(import.meta.dirname, "../bin/hermod.js");
const WRITER = new URL("write-code-caches.js", import.meta.url).href;

/** Many times what it takes: a program that stands still must not hold up the build for ever. */
const TIME_LIMIT_MS = 120_000;

/** @throws Error with what the program logged, when it does not do any of this */
export async function warmUp() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hermod-warm-up-"));
  const env = {
    PATH: process.env.PATH,
    HERMOD_DATA_DIR: dataDir,
    ...FREE_PORTS,
  };
  const options = { env, stdio: ["ignore", "pipe", "pipe"], timeout: TIME_LIMIT_MS, killSignal: "SIGKILL" };
  const child = spawn(process.execPath, [`--import=${WRITER}`, MAIN, "start"], options);
  const ended = once(child, "close");
  try {
    await untilRunning(child);
    await sendEmail(JSON.parse(await readFile(path.join(dataDir, "first-run.json"), "utf8")));
    await promisify(execFile)(process.execPath, [`--import=${WRITER}`, MAIN, "key", "list"], {
      env,
      timeout: TIME_LIMIT_MS,
    });
    child.kill("SIGTERM");
    const [code] = await ended;
    if (code !== 0) throw new Error(`the program has ended with ${code}`);
  } finally {
    child.kill("SIGKILL");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

function untilRunning(child) {
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.includes("Hermod is running")) resolve();
    });
    child.on("close", () => reject(new Error(`the program that was built does not run:\n${stderr}`)));
  });
}

async function sendEmail({ base_url: baseUrl, api_key: apiKey, sender }) {
  const { status } = await fetch(`${baseUrl}/v1/email/send`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({
      from: sender,
      to: "ada@example.org",
      subject: "Warm",
      text: "Warm.",
      html: "<p>Warm.</p>",
    }),
  });
  if (status !== 202) throw new Error(`the program that was built answers an e-mail with ${status}`);
}
