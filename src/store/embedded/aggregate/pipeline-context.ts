import type { FieldSelector } from "../bson/select.ts";
import type { Doc, Value } from "../bson/values.ts";
import type { Filter } from "../query/filter.ts";
import type { KeyField } from "../storage/index-keys.ts";
import type { StageContext } from "./transforms.ts";

/** What the stages at the beginning of a pipeline ask of the collection itself. */
export interface Source {
  filter: Filter;
  sort: readonly KeyField[];
  skip: number;
  limit: number;
}

export interface PipelineContext extends StageContext {
  /** The documents of a collection of the same database, decoded by `select`. */
  read(collection: string, source: Source, select: FieldSelector): Iterable<Doc>;
  count(collection: string, source: Source): number;
  /** For stages that hold pipelines of their own. */
  parsePipeline(stages: readonly Value[], context: PipelineContext): Pipeline;
}

/** Runs a pipeline on a collection; `filter` comes before its first stage. */
export type Pipeline = (collection: string, filter: Filter) => Iterable<Doc>;
