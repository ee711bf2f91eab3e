import { InvalidArgumentError } from "commander";
import { InputError } from "./read-options.ts";

/** The option of every command that changes a resource which others may edit. */
export const IF_REVISION = [
  "--if-revision <revision>",
  "only if this is still the `revision` that --json has shown",
  readRevision,
] as const;

/** The same of commands that also create. */
export const IF_REVISION_OR_NONE = [
  "--if-revision <revision>",
  "only if this is still the `revision` that --json has shown; none: only if there is no such one",
  readRevision,
] as const;

export interface OnRevision {
  readonly ifRevision?: string;
}

/** An empty one, as of a variable that is not set, would be a change in any case. */
function readRevision(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Give the revision, as --json shows it.");
}

/** @throws InputError for several resources, which have several revisions */
export function requireOne(resources: readonly unknown[], { ifRevision }: OnRevision): void {
  if (ifRevision === undefined || resources.length === 1) return;
  throw new InputError("--if-revision is about one resource: the file must hold one.");
}
