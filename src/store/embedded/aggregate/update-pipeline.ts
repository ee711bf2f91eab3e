import type { Doc, Value } from "../bson/values.ts";
import { CommandError } from "../errors.ts";
import { parseContext, withVariables } from "./scope.ts";
import { parseTransform, type StageContext } from "./transforms.ts";

/** Parses an update given as a list of stages; `constants` are the update's own variables. */
export function parseUpdatePipeline(
  stages: readonly Value[],
  constants: Doc | undefined,
  now: () => number,
): (document: Doc) => Doc {
  const variables: ReadonlyMap<string, Value> = constants ?? new Map();
  const stage: StageContext = {
    context: withVariables(parseContext(now), variables.keys()),
    variables: () => variables,
  };
  const transforms = stages.map((each) => {
    const [name = ""] = each instanceof Map ? each.keys() : [];
    const transform =
      each instanceof Map && each.size === 1
        ? parseTransform(name, each.get(name) ?? null, stage)
        : undefined;
    if (transform === undefined) {
      throw new CommandError(72, `${name} is not allowed to be used within an update`);
    }
    return transform;
  });
  return (document) => transforms.reduce((current, transform) => transform(current), document);
}
