import { toDouble } from "../bson/numbers.ts";
import { doc, int, isNumeric } from "../bson/values.ts";
import { countDocuments } from "../query/find-documents.ts";
import { parseFilter } from "../query/parse-filter.ts";
import { type Command, collectionName, optionalCount, optionalDoc } from "./command.ts";

export const count: Command = {
  fields: ["query", "limit", "skip", "hint"],
  refused: ["collation", "fields"],
  run: (call) => {
    const { body, engine } = call;
    const name = collectionName(call);
    const filter = parseFilter(optionalDoc(body, "query", "count") ?? new Map(), engine.parseExpression);
    const given = body.get("limit");
    // A negative limit means the same as a positive one.
    const limit = isNumeric(given) ? Math.abs(Math.trunc(toDouble(given))) : undefined;
    const skip = optionalCount(body, "skip", "count");
    const collection = engine.find(call.db, name);
    const n =
      collection === undefined
        ? 0
        : countDocuments(engine.file, {
            collection,
            filter,
            limit,
            skip,
            hint: body.get("hint"),
            checkTime: call.checkTime,
          });
    return doc({ n: int(n) });
  },
};
