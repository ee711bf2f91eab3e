import { spawn } from "node:child_process";
import { once } from "node:events";
import { MESSAGE_BYTES, RECIPIENT_DOMAIN } from "./message.js";

const SMTP_SOURCE = "/usr/sbin/smtp-source";

/**
 * Postfix's load generator: so many messages over so many sessions at once. It fails when one is refused.
 * @param {{ port: number, messages: number, sessions: number, from: string, keepOpen?: boolean }} options
 *   keepOpen: many messages over each connection; otherwise a connection for each message
 * @returns {Promise<number>} seconds until the last message was answered
 */
export async function smtpSource({ port, messages, sessions, from, keepOpen = true }) {
  const counts = ["-m", String(messages), "-s", String(sessions), "-l", String(MESSAGE_BYTES)];
  if (keepOpen) counts.push("-d");
  const envelope = ["-f", from, "-t", `ada@${RECIPIENT_DOMAIN}`];
  const startedMs = performance.now();
  const source = spawn(SMTP_SOURCE, [...counts, ...envelope, `127.0.0.1:${port}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(source, "exit");
  if (code !== 0) throw new Error(`smtp-source ended with ${code}.`);
  return (performance.now() - startedMs) / 1000;
}
