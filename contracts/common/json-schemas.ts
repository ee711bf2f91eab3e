import { isDeepStrictEqual } from "node:util";
import type { oas31 } from "openapi3-ts";
import { z } from "zod";

type Json = Record<string, unknown>;

/** `input`: the schema describes a request; `output`: it describes a response. */
export type Direction = "input" | "output";

export interface JsonSchemas {
  /**
   * Writes the JSON Schema (draft 2020-12) of a zod schema: a `$ref` if the schema is named with `.meta({ id })`.
   * @throws Error for a schema that OpenAPI cannot express, or if two different schemas have the same name
   */
  write(schema: z.ZodType, direction: Direction): oas31.SchemaObject | oas31.ReferenceObject;
  /** All named schemas referred to so far, for `components/schemas`, in alphabetical order. */
  components(): Record<string, oas31.SchemaObject>;
}

/** Collects the named schemas of one document while its operations are written. */
export function createJsonSchemas(): JsonSchemas {
  const named = new Map<string, Json>();
  // Nearly every operation responds with the same problem document for several statuses.
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
      const point = (value: unknown) => pointAtComponents(withNull(value, definitions), names) as Json;
      const pointing = point(own);
      const byName = new Map(
        Object.entries(definitions).map(([key, value]) => [names.get(key) ?? key, point(value)]),
      );
      // A nullable schema is written inline and needs no component.
      const wanted = new Set(componentsIn(pointing));
      for (const name of wanted) {
        const definition = byName.get(name);
        if (definition === undefined) continue;
        add(name, definition);
        for (const further of componentsIn(definition)) wanted.add(further);
      }
      written[direction].set(schema, pointing);
      return pointing as oas31.SchemaObject;
    },
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Writes the JSON Schema (draft 2020-12) of a zod schema, with the named schemas of its parts in `$defs`. */
export function toJsonSchema(schema: z.ZodType, direction: Direction): Json {
  return z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: direction,
    override({ zodSchema, jsonSchema }) {
      // Responses may gain fields. A client that rejects unknown fields would then fail.
      if (zodSchema._zod.def.type === "object" && !zodSchema._zod.def.catchall) {
        delete jsonSchema.additionalProperties;
      }
      // These keywords hold for every JSON object and every JavaScript integer, so they carry no information.
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

/**
 * Writes a nullable schema as one schema of two types, because client generators ignore a union with null or fail on it. A named
 * schema is written inline without its name.
 */
function withNull(value: unknown, definitions: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(value)) return value.map((entry) => withNull(entry, definitions));
  if (typeof value !== "object" || value === null) return value;
  const { anyOf, ...rest } = value as Json;
  const [member, none, ...others] = (Array.isArray(anyOf) ? anyOf : []) as Json[];
  const isNullable = member && none && others.length === 0 && isDeepStrictEqual(none, { type: "null" });
  if (!isNullable)
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, withNull(entry, definitions)]),
    );
  const target = typeof member.$ref === "string" ? definitions[member.$ref.replace("#/$defs/", "")] : member;
  if (typeof target?.type !== "string") return value;
  const { type, enum: values, ...own } = withNull(target, definitions) as Json;
  return {
    ...own,
    ...rest,
    type: [type, "null"],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

function componentsIn(value: Json): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
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
 * Writes a string or a list of such strings without a union. Generators of Rust and PHP clients turn a union into an empty
 * type. All tested generators turn this form into the list. A keyword applies only to its own type (JSON Schema, Validation,
 * section 6), so both forms have the same meaning.
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
 * Moves the descriptions of the members of a union to the end of the description of the union. Renderers would otherwise show
 * the description of a member instead of that of the union.
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
