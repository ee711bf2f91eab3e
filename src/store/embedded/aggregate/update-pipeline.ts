import type { Doc, Value } from "../bson/values.ts";
import { notImplemented } from "../errors.ts";

export function parseUpdatePipeline(
  _s: readonly Value[],
  _c: Doc | undefined,
  _o: { now: () => number },
): (d: Doc) => Doc {
  throw notImplemented("pipelines");
}
