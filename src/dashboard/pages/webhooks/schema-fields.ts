import { t } from "../../texts/texts.ts";

/** A JSON Schema (draft 2020-12), as far as the payloads use it. */
type Schema = Readonly<Record<string, unknown>>;

/** A field of a payload, with its path: `data.reply.code`. */
export interface SchemaField {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** Allowed values; empty: any. */
  readonly values: readonly string[];
}

/** Deeper objects are shown by their type. A schema that refers to itself ends there. */
const MAX_DEPTH = 6;

/** All fields of a payload in the order of its schema, objects before their fields. */
export function fieldsOf(schema: Schema): SchemaField[] {
  return fieldsBelow(resolved(schema, schema), { root: schema, path: "", depth: 0 });
}

interface Place {
  readonly root: Schema;
  readonly path: string;
  readonly depth: number;
}

function fieldsBelow(schema: Schema, { root, path, depth }: Place): SchemaField[] {
  const properties = asSchema(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (!properties || depth > MAX_DEPTH) return [];
  return Object.entries(properties).flatMap(([name, value]) => {
    const own = asSchema(value) ?? {};
    const field = resolved(own, root);
    const at = path === "" ? name : `${path}.${name}`;
    const item = asSchema(field.items);
    const inner = item ? resolved(item, root) : field;
    return [
      {
        path: at,
        type: typeText(field, root),
        isRequired: required.includes(name),
        // The description of the place is closer than that of a shared schema.
        description: textOf(own.description) || textOf(field.description),
        values: valuesOf(field),
      },
      ...fieldsBelow(inner, { root, path: item ? `${at}[]` : at, depth: depth + 1 }),
    ];
  });
}

/** Follows `$ref` into `$defs`. */
function resolved(schema: Schema, root: Schema): Schema {
  const name = /^#\/\$defs\/(.+)$/.exec(textOf(schema.$ref))?.[1];
  if (name === undefined) return schema;
  return { ...(asSchema(asSchema(root.$defs)?.[name]) ?? {}), ...withoutRef(schema) };
}

const withoutRef = ({ $ref: _, ...others }: Schema): Schema => others;

function typeText(schema: Schema, root: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    const types = choices.map((one) => typeText(resolved(asSchema(one) ?? {}, root), root));
    return [...new Set(types)].join(t.events.anyOf);
  }
  const item = asSchema(schema.items);
  if (item) return t.events.listOf(typeText(resolved(item, root), root));
  if (Array.isArray(schema.type)) return schema.type.map(String).join(t.events.anyOf);
  if (textOf(schema.format) === "date-time") return "date-time";
  return textOf(schema.type) || ("const" in schema ? typeof schema.const : t.events.any);
}

function valuesOf(schema: Schema): string[] {
  if ("const" in schema) return [JSON.stringify(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map((value) => JSON.stringify(value)) : [];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function asSchema(value: unknown): Schema | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}
