import {
  type AppRoute,
  type AppRouter,
  ContractNoBody,
  isAppRoute,
  isAppRouteMutation,
  isAppRouteOtherResponse,
  isStandardSchema,
} from "@ts-rest/core";
import type { oas30, oas31 } from "openapi3-ts";
import { z } from "zod";
import { dashboardTexts } from "./common/dashboard-texts.ts";
import { webhooksOf } from "./common/event-webhooks.ts";
import type { FaultCodeName } from "./common/fault-codes.ts";
import { createJsonSchemas, type JsonSchemas } from "./common/json-schemas.ts";
import { toOpenApi30 } from "./common/openapi-30.ts";
import {
  headers,
  info,
  type OperationTexts,
  operationTexts,
  securitySchemes,
  tagOfRouter,
} from "./common/openapi-texts.ts";
import { operationFaults } from "./common/operation-faults.ts";
import { isBeyondInterface } from "./common/permission.ts";
import { headerRefs, problemResponse } from "./common/problem-responses.ts";
import { sessionRouteOf } from "./common/session-access.ts";
import { api, dashboard } from "./index.ts";

export interface OpenApiOptions {
  /**
   * Base URL of this installation, such as `https://mail.example.com`. `/` stands for the server that the document was fetched
   * from. Default: Hermod's default port on this machine.
   */
  readonly serverUrl?: string;
  /** Version of the document. Default: the version of the HTTP API. */
  readonly version?: string;
  /** Time for examples with a date in the future. Without it, the document has no such examples. */
  readonly now?: Date;
}

/** Parts of a document that its contracts do not contain. */
interface DocumentTexts {
  readonly info: oas31.InfoObject;
  readonly tagOfRouter: Readonly<Record<string, oas31.TagObject>>;
  readonly securitySchemes: Readonly<Record<string, oas31.SecuritySchemeObject>>;
  readonly textsOf: (name: string, route: AppRoute) => OperationTexts;
  readonly faultsOf: (name: string, route: AppRoute) => readonly FaultCodeName[];
  readonly webhooksOf?: (schemas: JsonSchemas) => oas31.PathsObject;
}

/**
 * Writes the OpenAPI 3.1 document of the public API from the contracts. The same options give the same document, including
 * the order of its keys.
 * @throws Error when an operation lacks its texts or its fault codes.
 */
export function openApiDocument(options: OpenApiOptions = {}): oas31.OpenAPIObject {
  return documentOf(api, options, {
    info,
    tagOfRouter,
    securitySchemes,
    textsOf: (name) => lookUp(operationTexts, name),
    faultsOf: (name) => lookUp(operationFaults, name),
    webhooksOf,
  });
}

/** Writes the OpenAPI 3.0.3 document of the public API, for client generators. */
export function openApi30Document(options: OpenApiOptions = {}): oas30.OpenAPIObject {
  return toOpenApi30(openApiDocument(options));
}

/** Writes the OpenAPI 3.1 document of the dashboard API. */
export function dashboardDocument(options: OpenApiOptions = {}): oas31.OpenAPIObject {
  return documentOf(dashboard, options, {
    ...dashboardTexts,
    faultsOf: (_name, route) => sessionRouteOf(route).faults,
  });
}

function documentOf(
  routers: Readonly<Record<string, AppRouter>>,
  options: OpenApiOptions,
  documentTexts: DocumentTexts,
): oas31.OpenAPIObject {
  const schemas = createJsonSchemas();
  const paths: Record<string, oas31.PathItemObject> = {};
  const tags: oas31.TagObject[] = [];
  for (const [key, router] of Object.entries(routers)) {
    const tag = lookUp(documentTexts.tagOfRouter, key);
    tags.push(tag);
    for (const [name, route] of Object.entries(router)) {
      if (!isAppRoute(route)) throw new Error(`contracts: ${key}.${name} is not a route`);
      const path = route.path.replace(/:(\w+)/g, "{$1}");
      const method = route.method.toLowerCase();
      const texts = documentTexts.textsOf(name, route);
      const faults = documentTexts.faultsOf(name, route);
      paths[path] = {
        ...paths[path],
        [method]: {
          tags: [tag.name],
          ...operation({ name, route, texts, faults, schemas, now: options.now }),
        },
      };
    }
  }
  const own = documentTexts.info;
  const webhooks = documentTexts.webhooksOf?.(schemas);
  return {
    openapi: "3.1.0",
    info: { ...own, version: options.version ?? own.version },
    servers: [server(options.serverUrl)],
    tags,
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: schemas.components(),
      headers: headersIn(paths),
      securitySchemes: documentTexts.securitySchemes,
    },
  };
}

/** Headers that the operations refer to. */
function headersIn(paths: Readonly<Record<string, oas31.PathItemObject>>): oas31.HeadersObject {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

function server(url: string | undefined): oas31.ServerObject {
  if (url !== undefined) return { url: url.replace(/\/+$/, "") || "/", description: "This installation" };
  return { url: "http://127.0.0.1:8080", description: "Hermod on this machine, with its default settings" };
}

/** A route with everything that its description needs. */
interface Operation {
  readonly name: string;
  readonly route: AppRoute;
  readonly texts: OperationTexts;
  readonly faults: readonly FaultCodeName[];
  readonly schemas: JsonSchemas;
  readonly now: Date | undefined;
}

const BEYOND_INTERFACE =
  "This operation is an extension of Hermod. It is not part of the published integration interface, so other services with that interface may not have it.";

function operation(described: Operation): oas31.OperationObject {
  const { name, route, texts, schemas, now } = described;
  const parameters = [
    ...parametersOf("path", route.pathParams, schemas),
    ...parametersOf("query", route.query, schemas),
    ...parametersOf("header", route.headers, schemas),
  ];
  const body = isAppRouteMutation(route) ? route.body : undefined;
  const description = texts.description ?? route.description ?? route.summary ?? name;
  const isBeyond = isBeyondInterface(route);
  return {
    operationId: name,
    summary: route.summary ?? name,
    description: isBeyond ? `${description}\n\n${BEYOND_INTERFACE}` : description,
    ...(isBeyond && { "x-beyond-interface": true }),
    security: [...texts.security],
    ...(parameters.length > 0 && { parameters }),
    ...(isZod(body) && {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: schemas.write(body, "input"),
            ...(texts.requestExamples && { examples: texts.requestExamples(now) }),
          },
        },
      },
    }),
    responses: responses(described),
  };
}

function responses({ name, route, texts, faults, schemas }: Operation): oas31.ResponsesObject {
  const written = Object.entries(route.responses).map(([key, response]) => {
    const status = Number(key);
    const isOther = typeof response === "object" && isAppRouteOtherResponse(response);
    const [body, type] = isOther ? [response.body, response.contentType] : [response, "application/json"];
    if (body === ContractNoBody) return [key, { description: lookUp(texts.success, key).description }];
    if (!isZod(body)) throw new Error(`contracts: ${name} answers ${key} without a schema`);
    const told = status < 400 ? lookUp(texts.success, key) : undefined;
    const schema = schemas.write(told?.schema ?? body, "output");
    if (status >= 400) return [key, problemResponse(status, { path: route.path, faults }, schema)];
    const { description, headers: names = [], examples, documents = {} } = lookUp(texts.success, key);
    return [
      key,
      {
        description,
        ...(names.length > 0 && { headers: headerRefs(names) }),
        content: {
          [type]: { schema, ...(examples && { examples }) },
          ...Object.fromEntries(
            Object.entries(documents).map(([media, text]) => [
              media,
              { schema: { type: "string", description: text } },
            ]),
          ),
        },
      },
    ];
  });
  return Object.fromEntries(written);
}

function parametersOf(
  position: oas31.ParameterLocation,
  fields: unknown,
  schemas: JsonSchemas,
): oas31.ParameterObject[] {
  if (!(fields instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodType>(fields.shape).map(([key, field]) => {
    const { description, ...schema } = schemas.write(field, "input");
    return {
      name: position === "header" ? canonicalHeader(key) : key,
      in: position,
      required: position === "path" || !field.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema,
    };
  });
}

/** ts-rest writes header names in lower case. The document uses their usual form. */
const canonicalHeader = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const isZod = (value: unknown): value is z.ZodType => isStandardSchema(value) && value instanceof z.ZodType;

function lookUp<Value>(table: Readonly<Record<string, Value>>, key: string): Value {
  const value = table[key];
  if (value === undefined) throw new Error(`contracts: the OpenAPI texts have no entry for "${key}"`);
  return value;
}
