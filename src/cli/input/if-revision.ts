import { InvalidArgumentError } from "commander";
import { InputError } from "./read-options.ts";

/** Option of every command that changes a resource that others may edit. */
export const IF_REVISION = [
  "--if-revision <revision>",
  "change it only if its `revision` in --json is still this one",
  readRevision,
] as const;

/** The same option for commands that also create. */
export const IF_REVISION_OR_NONE = [
  "--if-revision <revision>",
  "change it only if its `revision` in --json is still this one; none: only if it does not exist",
  readRevision,
] as const;

export interface OnRevision {
  readonly ifRevision?: string;
}

/** An empty text, for example from a variable that is not set, would change the resource unconditionally. */
function readRevision(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must be a `revision` from the output of --json.");
}

/** @throws InputError for several resources, because each has its own revision */
export function requireOne(resources: readonly unknown[], { ifRevision }: OnRevision): void {
  if (ifRevision === undefined || resources.length === 1) return;
  throw new InputError("--if-revision is for one resource, so the file must hold only one.");
}
