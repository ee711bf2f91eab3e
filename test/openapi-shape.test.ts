import { createHash } from "node:crypto";
import type { oas31 } from "openapi3-ts";
import { describe, expect, it } from "vitest";
import { dashboardDocument, openApiDocument } from "../contracts/openapi.ts";

/** Keywords with text for people, or with examples of such text. */
const TEXTS: ReadonlySet<string> = new Set(["description", "summary", "title", "example", "examples"]);
/** Keywords with a map of names: a field may have the name `description`. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "schemas",
  "responses",
  "headers",
]);

/** A part of a document without its texts. */
function shapeOf(part: unknown, isMap = false): unknown {
  if (Array.isArray(part)) return part.map((one) => shapeOf(one));
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).filter(([name]) => isMap || !TEXTS.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, shapeOf(value, !isMap && MAPS.has(name))]));
}

const sumOf = (part: unknown) =>
  createHash("sha256")
    .update(JSON.stringify(shapeOf(part)))
    .digest("hex")
    .slice(0, 12);

/** One line for each operation and each part that operations share. */
function linesOf({ paths = {}, webhooks = {}, components = {} }: oas31.OpenAPIObject): string[] {
  const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([at, item]) =>
    Object.entries(item).map(([method, operation]) => `${method.toUpperCase()} ${at} ${sumOf(operation)}`),
  );
  const parts = Object.entries(components).flatMap(([kind, all]) =>
    Object.entries(all as object).map(([name, part]) => `${kind}/${name} ${sumOf(part)}`),
  );
  return [...operations, ...parts].toSorted();
}

describe("the shape of the API", () => {
  it.each([
    ["public", openApiDocument],
    ["dashboard", dashboardDocument],
  ])(
    "stays what clients of the %s document were generated from, whatever the wording",
    async (kind, documentFor) => {
      const lines = linesOf(documentFor());
      expect(lines.length).toBeGreaterThan(30);
      // `--update` accepts an intended change.
      await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`fixtures/openapi-shape-${kind}.txt`);
    },
  );
});
