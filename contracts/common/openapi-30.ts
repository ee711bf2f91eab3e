import type { oas30, oas31 } from "openapi3-ts";

type Json = Record<string, unknown>;

/** Only security scheme that every client generator supports. */
const API_KEY = "apiKeyHeader";

/** Schema names that conflict with types of a generator: oapi-codegen has its own `Client` and `NewClient`. */
const RENAMED: Readonly<Record<string, string>> = { Client: "IntelClient", NewClient: "NewIntelClient" };

/** Keywords that mean the same in OpenAPI 3.0 and 3.1. Any other keyword needs a translation first. */
const SAME_KEYWORDS = new Set([
  ...["description", "format", "pattern", "enum", "required", "default"],
  ...["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "maxProperties"],
]);

const SCHEMAS = "#/components/schemas/";

const NOTICE = [
  "**This document is for client generators.** It is OpenAPI 3.0.3, has one security scheme, and has only the list form where",
  "the API also accepts a single string. `/openapi.json` is the exact document of the same API (OpenAPI 3.1).",
].join("\n");

/**
 * Converts an OpenAPI 3.1 document to OpenAPI 3.0.3 for client generators. It replaces types with null by `nullable`, "string or
 * list" by a list, `const` by `enum`, and the security schemes by one. OpenAPI 3.0 has no webhooks: they become `x-webhooks`, so that
 * the types of their events remain.
 * @throws Error for a keyword that has no translation
 */
export function toOpenApi30(document: oas31.OpenAPIObject): oas30.OpenAPIObject {
  const { openapi: _, info, paths, webhooks, components = {}, ...rest } = document;
  const { identifier: _identifier, ...license } = info.license ?? { name: "" };
  const schemas = Object.entries(components.schemas ?? {});
  const ofSchemas = Object.fromEntries(
    schemas.map(([name, schema]) => [RENAMED[name] ?? name, schemaOf(schema as Json)]),
  );
  return {
    openapi: "3.0.3",
    ...rest,
    info: {
      ...info,
      description: `${NOTICE}\n\n${info.description}`,
      license: { ...license, url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    paths: rewrite(paths, ofSchemas),
    "x-webhooks": rewrite(webhooks, ofSchemas),
    components: {
      schemas: ofSchemas,
      headers: rewrite(components.headers, ofSchemas),
      securitySchemes: {
        [API_KEY]: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description:
            "Account key (`hm_live_…`), or deliverability key (`hm_dlv_…`) for the operations of Deliverability Intel.",
        },
      },
    },
  } as oas30.OpenAPIObject;
}

/** Converts everything outside schemas: security, examples, and the schemas within. */
function rewrite(value: unknown, schemas: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(value)) return value.map((entry) => rewrite(entry, schemas));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, entry]) => {
    if (key === "security") return [key, (entry as unknown[]).length === 0 ? [] : [{ [API_KEY]: [] }]];
    if (key === "schema") return [key, schemaOf(entry as Json)];
    if (key === "example") return [key, entry];
    if (key === "examples") return [key, examplesOf(entry as Json, value.schema as Json, schemas)];
    return [key, rewrite(entry, schemas)];
  });
  return Object.fromEntries(entries);
}

/** Converts examples of a body: a string becomes a list if its schema is a list. */
function examplesOf(examples: Json, schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  const name = String(schemaOf(schema).$ref).replace(SCHEMAS, "");
  const properties = (schemas[name]?.properties ?? {}) as Record<string, Json>;
  const withLists = (body: Json) =>
    Object.fromEntries(
      Object.entries(body).map(([key, entry]) => [
        key,
        typeof entry === "string" && properties[key]?.type === "array" ? [entry] : entry,
      ]),
    );
  return Object.fromEntries(
    Object.entries(examples).map(([key, example]) => {
      const { value, ...texts } = example as Json;
      return [key, { ...texts, value: isObject(value) ? withLists(value) : value }];
    }),
  );
}

/** @throws Error for a keyword that has no translation */
function schemaOf(schema: Json): Json {
  const written: Json = {};
  for (const [keyword, value] of Object.entries(schema)) {
    Object.assign(written, SAME_KEYWORDS.has(keyword) ? { [keyword]: value } : translate(keyword, value));
  }
  if (written.nullable && Array.isArray(written.enum)) {
    written.enum = written.enum.filter((value) => value !== null);
  }
  if (written.type === "array" && typeof written.example === "string") written.example = [written.example];
  if (!("$ref" in written) || Object.keys(written).length === 1) return written;
  // OpenAPI 3.0 allows no other keyword next to `$ref`.
  const { $ref, ...beside } = written;
  return { ...beside, allOf: [{ $ref }] };
}

function translate(keyword: string, value: unknown): Json {
  switch (keyword) {
    case "$ref":
      return { $ref: refOf(value as string) };
    case "type":
      return typeOf([value].flat() as string[]);
    case "const":
      return { enum: [value] };
    case "contentEncoding":
      // With `format: byte` some generators encode the value and others do not. A plain string works with all.
      return {};
    case "examples":
      return { example: (value as unknown[])[0] };
    case "items":
      return { items: schemaOf(value as Json) };
    case "properties":
      return {
        properties: Object.fromEntries(
          Object.entries(value as Json).map(([name, property]) => [name, schemaOf(property as Json)]),
        ),
      };
    case "additionalProperties":
      return { additionalProperties: isObject(value) ? schemaOf(value) : value };
    default:
      throw new Error(`contracts: the keyword "${keyword}" has no translation to OpenAPI 3.0`);
  }
}

function refOf(ref: string): string {
  const name = ref.replace(SCHEMAS, "");
  return RENAMED[name] === undefined ? ref : SCHEMAS + RENAMED[name];
}

function typeOf(types: readonly string[]): Json {
  const present = types.filter((type) => type !== "null");
  // "String or list" becomes a list, because most generators turn a union into an empty type.
  const [type] = present.includes("array") ? ["array"] : present;
  return { type, ...(present.length < types.length && { nullable: true }) };
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
