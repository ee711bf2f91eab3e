import type { CheckResult } from "../../src/intel/check-result.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { type Ran, runHermod } from "./run-hermod.ts";

/** A command line with a core with one account. The test provides the results of the checks of domains. */
export interface IntelShell {
  readonly identity: Identity;
  /** Results of the check runs, by domain. */
  readonly results: Map<string, readonly CheckResult[]>;
  /** Runs `hermod intel` with these arguments. */
  intel(...argv: string[]): Promise<Ran>;
  /** Returns the JSON that it writes; rejects if it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each command writes something else, and its test says what
  json(...argv: string[]): Promise<any>;
  /** Lines of a table, each as its cells. */
  rows(...argv: string[]): Promise<string[][]>;
  close(): Promise<void>;
}

export async function openIntelShell(): Promise<IntelShell> {
  const results: IntelShell["results"] = new Map();
  const identity = await openIdentity({ intel: { sights: { results }, allowsPrivate: false } });
  await identity.operator.accounts.createAccount({ name: "Acme" });
  const intel = (...argv: string[]) => runHermod(["intel", ...argv], { core: identity.operator });
  return {
    identity,
    results,
    intel,
    close: identity.close,
    json: async (...argv) => {
      const { code, out, err } = await intel(...argv, "--json");
      if (code !== 0) throw new Error(err);
      return JSON.parse(out);
    },
    rows: async (...argv) => {
      const { out } = await intel(...argv);
      return out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/));
    },
  };
}
