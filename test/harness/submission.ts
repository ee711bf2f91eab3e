import type { EnvelopeInit } from "../../src/rpc/submissions.ts";
import { capturedSource } from "./http.ts";
import { eventually, type Hermod } from "./start-hermod.ts";

/** The sending key of the first run. */
export function credentialOf({ firstRun: { smtp } }: Hermod) {
  return { username: smtp.username, password: smtp.password, clientAddress: "192.0.2.7" };
}

/** An envelope from the verified sender to these recipients. */
export function envelopeTo(
  hermod: Hermod,
  recipients: readonly string[],
  changes: EnvelopeInit = {},
): EnvelopeInit {
  return {
    credential: credentialOf(hermod),
    mailFrom: hermod.firstRun.sender,
    recipients: recipients.map((address) => ({ address })),
    clientName: "client.example.org",
    protocol: "ESMTPSA",
    serverName: "smtp.example.com",
    ...changes,
  };
}

/** A message of these lines. */
export function sourceOf(...lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(""));
}

/** A small valid message with these additional fields. */
export function plainSource(...fields: readonly string[]): Buffer {
  const date = "Date: Sat, 21 Nov 2026 10:00:00 +0000";
  return sourceOf(...fields, "From: Hermod <hello@example.com>", "Subject: Hi", date, "", "Hello.");
}

/** Returns the sandbox copy of a message, when available. */
export async function captured(hermod: Hermod, messageId: string | undefined): Promise<Buffer> {
  return Buffer.from(await eventually(() => capturedSource(hermod, messageId ?? ""), 60_000));
}
