import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { allowSending } from "../harness/finished-message.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { type Ran, runHermod, stdin } from "./run-hermod.ts";

/** A command line beside a core that answers, with one account that may send from example.com. */
export interface AlertShell {
  readonly identity: Identity;
  readonly accountId: string;
  hermod(...argv: string[]): Promise<Ran>;
  /** With a text as its standard input. */
  hermodWith(text: string, ...argv: string[]): Promise<Ran>;
  /** The JSON that a command writes; rejects where it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each command writes something else, and its test says what
  json(...argv: string[]): Promise<any>;
  /** Writes a file; returns its path. */
  file(name: string, text: string): string;
  close(): Promise<void>;
}

export async function openAlertShell(): Promise<AlertShell> {
  const identity = await openIdentity();
  const accountId = await identity.openAccount();
  await allowSending(identity, accountId);
  const folder = mkdtempSync(path.join(tmpdir(), "hermod-alert-shell-"));
  const hermod = (...argv: string[]) => runHermod(argv, { core: identity.operator });
  return {
    identity,
    accountId,
    hermod,
    hermodWith: (text, ...argv) => runHermod(argv, { core: identity.operator, input: stdin(text) }),
    json: async (...argv) => {
      const { code, out, err } = await hermod(...argv, "--json");
      if (code !== 0) throw new Error(err);
      return JSON.parse(out);
    },
    file: (name, text) => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    close: async () => {
      rmSync(folder, { recursive: true });
      await identity.close();
    },
  };
}

/** A rule that mails what is critical, in the form of a rule file. */
export const PAGER = `
name: pager
match:
  - { field: severity, op: gte, value: critical }
notify:
  recipients: [oncall@example.net]
  from: "Alerts <alerts@example.com>"
`;

/** An alert that meets it. */
export const DISK = `
event_type: disk.full
severity: critical
source: cron
message: /var is full
entity_type: host
entity_id: web-1
context: { mount: /var }
`;
