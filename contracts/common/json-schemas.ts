import { isDeepStrictEqual } from "node:util";
import type { oas31 } from "openapi3-ts";
import { z } from "zod";

type Json = Record<string, unknown>;

/** Whether a schema describes what a client sends (`input`) or what it gets (`output`). */
export type Direction = "input" | "output";

export interface JsonSchemas {
  /**
   * The JSON Schema (draft 2020-12) of a zod schema: a `$ref` when it is named with `.meta({ id })`.
   * @throws Error for a schema that OpenAPI cannot show, or whose name stands for two different schemas.
   */
  write(schema: z.ZodType, direction: Direction): oas31.SchemaObject | oas31.ReferenceObject;
  /** Every named schema that was referred to so far, for `components/schemas`, in alphabetical order. */
  components(): Record<string, oas31.SchemaObject>;
}

/** Collects the named schemas of one document while its operations are written. */
export function createJsonSchemas(): JsonSchemas {
  const named = new Map<string, Json>();
  // The same problem document answers nearly every operation in several ways.
  const written = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() };

  function add(id: string, definition: Json): void {
    const known = named.get(id);
    if (known && !isDeepStrictEqual(known, definition)) {
      throw new Error(
        `The schema id "${id}" stands for two different schemas; a schema that differs between request and response needs two ids.`,
      );
    }
    named.set(id, definition);
  }

  return {
    write(schema, direction) {
      const known = written[direction].get(schema);
      if (known) return known as oas31.SchemaObject;
      const { $schema: _, $defs = {}, ...own } = toJsonSchema(schema, direction);
      const definitions = $defs as Record<string, Json>;
      const names = new Map(Object.entries(definitions).map(([key, value]) => [key, nameOf(key, value)]));
      for (const [key, definition] of Object.entries(definitions)) {
        add(names.get(key) ?? key, pointAtComponents(definition, names) as Json);
      }
      const pointing = pointAtComponents(own, names) as Json;
      written[direction].set(schema, pointing);
      return pointing as oas31.SchemaObject;
    },
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function toJsonSchema(schema: z.ZodType, direction: Direction): Json {
  return z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: direction,
    override({ zodSchema, jsonSchema }) {
      // Answers may gain fields: a client that refuses unknown ones would break then.
      if (zodSchema._zod.def.type === "object" && !zodSchema._zod.def.catchall) {
        delete jsonSchema.additionalProperties;
      }
      // What follows is true of every JSON object and every JavaScript integer: noise for a reader.
      if (isDeepStrictEqual(jsonSchema.propertyNames, { type: "string" })) delete jsonSchema.propertyNames;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as Json;
}

/** zod numbers the recursive schemas that have no id; the one that Hermod uses is `z.json()`. */
function nameOf(key: string, definition: Json): string {
  if (!key.startsWith("__schema")) return key;
  const kinds = Array.isArray(definition.anyOf) ? definition.anyOf.map((member: Json) => member.type) : [];
  if (kinds.join() === "string,number,boolean,null,array,object") return "JsonValue";
  throw new Error("A recursive schema needs a name: give it one with .meta({ id }).");
}

function pointAtComponents(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => pointAtComponents(entry, names));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => {
    if (key !== "$ref" || typeof entry !== "string") return [key, pointAtComponents(entry, names)];
    const target = entry.replace("#/$defs/", "");
    return [key, `#/components/schemas/${names.get(target) ?? target}`];
  });
  return oneOrSeveral(describeUnion(Object.fromEntries(entries)));
}

/**
 * A string or a list of such strings, without a union: generators of Rust and PHP clients make a type without content
 * of a union, and all those that were tried make the list of this. A keyword applies to its own type alone (JSON
 * Schema, Validation, section 6), so both forms say the same.
 */
function oneOrSeveral(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, list] = anyOf as [Json, Json];
  if (one.type !== "string" || list.type !== "array" || !isDeepStrictEqual(list.items, one)) return schema;
  const { examples: _, ...keywords } = one;
  return { ...keywords, ...list, type: ["array", "string"], ...rest };
}

/**
 * Renderers show the description of a union's member in place of the union's own, which is the one that matters:
 * the members' descriptions become its last paragraph.
 */
function describeUnion(schema: Json): Json {
  const { description, anyOf } = schema;
  if (typeof description !== "string" || !Array.isArray(anyOf)) return schema;
  const words = new Set([description]);
  const bare = (member: Json): Json => {
    const { description: own, items, ...rest } = member;
    if (typeof own === "string") words.add(own);
    return items === undefined ? rest : { ...rest, items: bare(items as Json) };
  };
  const members = anyOf.map(bare);
  return { ...schema, anyOf: members, description: [...words].join("\n\n") };
}
