import { spawn } from "node:child_process";
import { once } from "node:events";
import { MESSAGE_BYTES } from "./message.js";

const SMTP_SOURCE = "/usr/sbin/smtp-source";

/**
 * Postfix's load generator: so many messages over so many sessions, each kept open.
 * @param {{ port: number, messages: number, sessions: number, from: string }} options
 */
export async function smtpSource({ port, messages, sessions, from }) {
  const counts = ["-m", String(messages), "-s", String(sessions), "-l", String(MESSAGE_BYTES), "-d"];
  const envelope = ["-f", from, "-t", "ada@customer.example"];
  const source = spawn(SMTP_SOURCE, [...counts, ...envelope, `127.0.0.1:${port}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(source, "exit");
  if (code !== 0) throw new Error(`smtp-source ended with ${code}.`);
}
