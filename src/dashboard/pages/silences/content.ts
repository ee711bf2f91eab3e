import type { Silence, SilenceContent } from "../../api/silences.ts";
import { plain } from "../../parts/drafts/draft-content.ts";
import { list, number, object, readJsonAs, text } from "../../parts/drafts/json-shape.ts";
import type { DraftFormat } from "../../parts/drafts/use-draft.ts";
import { conditionShape } from "../alert-rules/read-json.ts";

/** The settings of a stored silence, as a change sends them. */
export const contentOf = ({ match, any, starts_at, ends_at, weekly, comment }: Silence): SilenceContent =>
  plain({ match, any, starts_at, ends_at, weekly, comment });

const weekly = object(
  {
    time_zone: text,
    windows: list(object({ days: list(number), from: text, to: text }, ["from", "to"])),
  },
  ["time_zone", "windows"],
);
const shape = object({
  match: list(conditionShape),
  any: list(conditionShape),
  starts_at: text,
  ends_at: text,
  weekly,
  comment: text,
});

export const silenceFormat: DraftFormat<SilenceContent> = {
  read: (source) => {
    const read = readJsonAs<Partial<SilenceContent>>(shape, source);
    return "fault" in read ? read : { content: whole(read.content) };
  },
  tidy: (content) => plain(whole(content)),
};

/** The form shows both lists of conditions, and the comment. */
const whole = ({
  match = [],
  any = [],
  comment = "",
  ...times
}: Partial<SilenceContent>): SilenceContent => ({
  match,
  any,
  ...times,
  comment,
});
