import type { Inhibition, InhibitionContent } from "../../api/silences.ts";
import { plain } from "../../parts/drafts/draft-content.ts";
import { list, object, readJsonAs, text } from "../../parts/drafts/json-shape.ts";
import type { DraftFormat } from "../../parts/drafts/use-draft.ts";
import { conditionShape } from "../alert-rules/read-json.ts";

/** The settings of a stored inhibition, as a change sends them. */
export const contentOf = ({ source, target, equal }: Pick<Inhibition, "source" | "target" | "equal">) =>
  plain({ source, target, equal });

const side = object({ match: list(conditionShape), any: list(conditionShape) });
const shape = object({ source: side, target: side, equal: list(text) }, ["source", "target"]);

export const inhibitionFormat: DraftFormat<InhibitionContent> = {
  read: (source) => {
    const read = readJsonAs<Partial<InhibitionContent>>(shape, source);
    return "fault" in read ? read : { content: whole(read.content) };
  },
  tidy: (content) => plain(whole(content)),
};

/** The form shows every list. */
function whole({ source, target, equal = [] }: Partial<InhibitionContent>): InhibitionContent {
  const sideOf = ({ match = [], any = [] }: Partial<InhibitionContent["source"]> = {}) => ({ match, any });
  return { source: sideOf(source), target: sideOf(target), equal };
}
