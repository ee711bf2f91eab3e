import { BSON, type CommandStartedEvent, type Db, type Document } from "mongodb";
import { decodeDocument } from "../../src/engine/bson/decode.ts";
import type { Doc } from "../../src/engine/bson/values.ts";
import { parseFilter } from "../../src/engine/query/parse-filter.ts";
import { choosePlan, type Plan } from "../../src/engine/query/plan.ts";
import { parseSort } from "../../src/engine/query/sort.ts";
import { type Collection, type Index, idIndex, indexFromSpec } from "../../src/engine/storage/schema.ts";
import { bulkOperations } from "./bulk-writes.ts";

/** One query of a command that was sent. */
export interface SentQuery {
  /** Command, collection, filter without values, and order: `find messages {"traceId":"?"} by {"_id":1}`. */
  readonly shape: string;
  readonly collection: string;
  readonly filter: Document;
  readonly sort: Document;
  /** For `explain`. */
  readonly command: Document;
}

/**
 * Costs of a query beyond reading its results: a scan of the collection, a sort, and a scan of all documents of an
 * account although another index matches the query.
 */
export type Cost = "COLLSCAN" | "SORT" | "ACCOUNT";

/** Returns the queries in a command; empty: it has none. */
export function queriesOf(event: CommandStartedEvent): SentQuery[] {
  const { commandName, command } = event;
  const collection = String(command[commandName]);
  const { limit, skip, projection, pipeline = [] } = command;
  const given = command.sort ?? pipeline.find((stage: Document) => stage.$sort)?.$sort ?? {};
  // The driver uses a map for an order.
  const sort: Document = given instanceof Map ? Object.fromEntries(given) : given;
  const query = (filter: Document, explained: Document): SentQuery => {
    const order = Object.keys(sort).length > 0 ? ` by ${JSON.stringify(sort)}` : "";
    const shape = `${commandName} ${collection} ${JSON.stringify(shapeOf(filter))}${order}`;
    return { shape, collection, filter, sort, command: { [commandName]: collection, ...explained } };
  };
  switch (commandName) {
    case "find": {
      const { filter = {} } = command;
      return [query(filter, defined({ filter, sort: command.sort, limit, skip, projection }))];
    }
    case "aggregate":
      return [query(pipeline[0]?.$match ?? {}, { pipeline, cursor: {} })];
    case "count":
    case "distinct": {
      // The total count of documents is stored.
      if (commandName === "count" && !command.query) return [];
      const { query: filter = {}, key } = command;
      return [query(filter, defined({ key, query: command.query, limit, skip }))];
    }
    case "findAndModify": {
      const { query: filter, update, remove } = command;
      return [query(filter, defined({ query: filter, sort: command.sort, update, remove }))];
    }
    case "update":
      return command.updates.map((one: Document) => query(one.q, { updates: [one] }));
    case "delete":
      return command.deletes.map((one: Document) => query(one.q, { deletes: [one] }));
    case "bulkWrite":
      return bulkOperations(event).flatMap(({ collection: updated, filter, updateMods: u }) => {
        if (!filter) return [];
        const shape = `update ${updated} ${JSON.stringify(shapeOf(filter))}`;
        const explained = { update: updated, updates: [{ q: filter, u }] };
        return [{ shape, collection: updated, filter, sort: {}, command: explained }];
      });
    default:
      return [];
  }
}

/** The plan of the server at MONGODB_URL. */
export async function costsOnMongoDb(db: Db, { command }: SentQuery): Promise<Set<Cost>> {
  const explained = await db.command({ explain: command, verbosity: "queryPlanner" });
  return new Set(stagesOf(explained).filter((stage) => stage === "COLLSCAN" || stage === "SORT"));
}

/** The plan of the embedded engine's own planner for the indexes of the collection. */
export async function planInEngine(db: Db, query: SentQuery): Promise<Plan> {
  return planAmong(await indexesOf(db, query), query);
}

async function indexesOf(db: Db, { collection }: SentQuery): Promise<Index[]> {
  const specs = await db.collection(collection).listIndexes().toArray();
  const others = specs.filter(({ name }) => name !== "_id_");
  // As the engine marks it for an index: a document has a list in one of its fields.
  const documents = await db.collection(collection).find().limit(100).toArray();
  const hasList = (path: string) => documents.some((document) => Array.isArray(document[path]));
  return [
    idIndex(),
    ...others.map((spec, id) => indexFromSpec(id, decoded(spec), Object.keys(spec.key).some(hasList))),
  ];
}

function planAmong(indexes: readonly Index[], { filter, sort }: SentQuery): Plan {
  return choosePlan(
    { indexes } as unknown as Collection,
    parseFilter(decoded(filter), Date.now),
    parseSort(decoded(sort)),
  );
}

export async function costsInEngine(db: Db, query: SentQuery): Promise<Set<Cost>> {
  const indexes = await indexesOf(db, query);
  const plan = planAmong(indexes, query);
  const costs = new Set<Cost>();
  if (isOfWholeAccount(plan, indexes, query)) costs.add("ACCOUNT");
  if (plan.kind === "scan") costs.add("COLLSCAN");
  if (!plan.sorted) costs.add("SORT");
  return costs;
}

/** Whether the plan uses only the account, although another index begins with a field that the query fixes. */
function isOfWholeAccount(plan: Plan, indexes: readonly Index[], { filter }: SentQuery): boolean {
  if (plan.kind !== "index") return false;
  const [first, second] = plan.index.fields;
  if (first?.path !== "accountId" || (second && second.path in filter)) return false;
  const isNamed = (path: string) => path !== "accountId" && isValue(filter[path]);
  return indexes.some(({ fields, partial }) => partial === undefined && isNamed(fields[0]?.path ?? ""));
}

/** Whether the condition is one value or a list of values, not a range. */
function isValue(test: unknown): boolean {
  if (test === undefined || test === null) return false;
  return (test as { constructor: unknown }).constructor !== Object || Object.hasOwn(test as object, "$in");
}

function decoded(document: Document): Doc {
  return decodeDocument(Buffer.from(BSON.serialize(document, { ignoreUndefined: true })));
}

/** The stages of all winning plans in the reply. */
function stagesOf(value: unknown, isPlan = false): Cost[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "rejectedPlans") return [];
    if (key === "stage" && isPlan) return [inner as Cost];
    return stagesOf(inner, isPlan || key === "winningPlan");
  });
}

/** A list counts as one value, because its length does not change the plan. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every((item) => item?.constructor === Object) ? value.map(shapeOf) : "?";
  }
  if (value?.constructor !== Object) return "?";
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, shapeOf(inner)]));
}

function defined(fields: Document): Document {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
