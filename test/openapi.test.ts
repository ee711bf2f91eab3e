import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type AppRoute, type AppRouter, isAppRoute } from "@ts-rest/core";
import openapiTypes, { astToString } from "openapi-typescript";
import type { oas31 } from "openapi3-ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  cancelledEmailExamples,
  emailPageExamples,
  emailWithTimelineExamples,
} from "../contracts/common/email-examples.ts";
import { email, emailPage, emailWithTimeline } from "../contracts/common/email-schemas.ts";
import { faultCodes } from "../contracts/common/fault-codes.ts";
import { toOpenApi30 } from "../contracts/common/openapi-30.ts";
import { operationFaults } from "../contracts/common/operation-faults.ts";
import { PROBLEM_MEDIA_TYPE, problem } from "../contracts/common/problem.ts";
import {
  sendEmailAcceptedExamples,
  sendEmailRequestExamples,
} from "../contracts/common/send-email-examples.ts";
import { sessionRouteOf } from "../contracts/common/session-access.ts";
import { sendEmailAccepted, sendEmailBody } from "../contracts/emails.ts";
import { api, dashboard } from "../contracts/index.ts";
import { dashboardDocument, openApi30Document, openApiDocument } from "../contracts/openapi.ts";

const examplesOf = (examples: oas31.ExamplesObject) =>
  Object.entries(examples).map(([name, example]) => [name, "value" in example && example.value] as const);
const operationsOf = ({ paths = {} }: oas31.OpenAPIObject): oas31.OperationObject[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

describe.each([
  {
    kind: "public",
    committed: "gen/openapi.json",
    documentFor: openApiDocument,
    contract: api as AppRouter,
    faultsOf: (name: string, _route: AppRoute) => operationFaults[name] ?? [],
  },
  {
    kind: "dashboard's",
    committed: "gen/dashboard-openapi.json",
    documentFor: dashboardDocument,
    contract: dashboard as AppRouter,
    faultsOf: (_name: string, route: AppRoute) => sessionRouteOf(route).faults,
  },
])("the $kind OpenAPI document", ({ committed, documentFor, contract, faultsOf }) => {
  const document = documentFor();
  const operations = operationsOf(document);
  const routes = Object.values(contract).flatMap((router) => Object.entries(router as AppRouter));

  it("is what is committed", async () => {
    expect(await readFile(committed, "utf8")).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  it("gives types to openapi-typescript", async () => {
    const types = astToString(await openapiTypes(JSON.stringify(document)));
    for (const { operationId } of operations) expect(types).toContain(`${operationId}: {`);
  });

  it("keeps nothing of zod's own bookkeeping", () => {
    const text = JSON.stringify(document);
    for (const noise of ["$defs", "$schema", "$id", "__shared", "__schema"])
      expect(text).not.toContain(noise);
    const targets = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    for (const [, kind = "", name = ""] of targets) {
      expect(document.components?.[kind as "schemas"]).toHaveProperty([name]);
    }
  });

  it("says where this installation is", () => {
    const { servers, info } = documentFor({ serverUrl: "https://mail.example.com/", version: "9.9.9" });
    expect(servers?.[0]?.url).toBe("https://mail.example.com");
    expect(info.version).toBe("9.9.9");
    expect(documentFor({ serverUrl: "/" }).servers?.[0]?.url).toBe("/");
  });

  it("has the operations of the contracts, each with every status", () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      routes.map(([name]) => name).sort(),
    );
    for (const [name, route] of routes) {
      const operation = operations.find(({ operationId }) => operationId === name);
      const declared = isAppRoute(route) ? Object.keys(route.responses) : [];
      expect(Object.keys(operation?.responses ?? {})).toEqual(declared);
    }
  });

  it.each(routes)("has the codes of %s, each under its status", (name, route) => {
    const responses: Record<string, oas31.ResponseObject> =
      operations.find(({ operationId }) => operationId === name)?.responses ?? {};
    const shown = Object.entries(responses).flatMap(([status, { content, description }]) =>
      Object.keys(content?.[PROBLEM_MEDIA_TYPE]?.examples ?? {}).map((code) => {
        expect(description).toContain(`\`${code}\``);
        return [code, Number(status)];
      }),
    );
    const expected = faultsOf(name, route as AppRoute).map((code) => [code, faultCodes[code].http]);
    expect(shown.sort()).toEqual(expected.sort());
  });

  it("has a refusal for every path and query that can be invalid", () => {
    const texts = ["0".repeat(1_000), "-", "a b"];
    const isRefusable = ({ pathParams, query }: AppRoute) => {
      if (query instanceof z.ZodType && !query.safeParse({ "no parameter": "1" }).success) return true;
      if (!(pathParams instanceof z.ZodObject)) return false;
      const paramsOf = (text: string) =>
        Object.fromEntries(Object.keys(pathParams.shape).map((name) => [name, text]));
      return texts.some((text) => !pathParams.safeParse(paramsOf(text)).success);
    };
    const refusable = routes.filter((one): one is [string, AppRoute] => isRefusable(one[1] as AppRoute));
    const silent = refusable.filter(
      ([name, route]) => !faultsOf(name, route).includes("request.validation_failed"),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it("says when to try again wherever that helps", () => {
    for (const { responses = {} } of operations) {
      for (const status of ["409", "429", "503"].filter((key) => key in responses)) {
        expect(responses[status].headers).toHaveProperty("Retry-After");
      }
    }
  });

  it("has problems of their own status as examples", () => {
    for (const { responses = {} } of operations) {
      for (const [status, response] of Object.entries<oas31.ResponseObject>(responses)) {
        for (const [code, body] of examplesOf(response.content?.[PROBLEM_MEDIA_TYPE]?.examples ?? {})) {
          expect(problem.parse(body)).toMatchObject({ status: Number(status), code });
        }
      }
    }
  });
});

/** Every value of a document under a key, at any depth; names of properties are no keywords. */
function valuesOf(value: unknown, keyword: string, parent = ""): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    if (key === "example" || key === "examples") return [];
    const found = key === keyword && parent !== "properties" ? [entry] : [];
    return [...found, ...valuesOf(entry, keyword, key)];
  });
}

it.each([
  ["gen/openapi.json", openApiDocument()],
  ["gen/openapi-3.0.json", openApi30Document()],
  ["gen/dashboard-openapi.json", dashboardDocument()],
])("%s has no constant but strings: Java has no class for a boolean one", (_, document) => {
  const constants = [...valuesOf(document, "const"), ...valuesOf(document, "enum").flat()];
  expect(constants.filter((value) => typeof value === "boolean")).toEqual([]);
});

describe("the OpenAPI 3.0 document for generators of clients", () => {
  const exact = openApiDocument();
  const document = openApi30Document();

  it("is what is committed", async () => {
    const committed = await readFile("gen/openapi-3.0.json", "utf8");
    expect(committed).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  it("is valid OpenAPI 3.0", async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
    expect([validator.version, document.openapi]).toEqual(["3.0", "3.0.3"]);
  });

  it("has the operations, parameters and statuses of the exact one", () => {
    const shape = (operations: readonly object[]) =>
      operations.map((operation) => {
        const { operationId, parameters = [], responses = {} } = operation as oas31.OperationObject;
        const names = parameters.map((parameter) => "name" in parameter && parameter.name);
        return { operationId, names, statuses: Object.keys(responses) };
      });
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    expect(shape(operations)).toEqual(shape(operationsOf(exact)));
    expect(Object.keys(document["x-webhooks"])).toEqual(Object.keys(exact.webhooks ?? {}));
    const schemas = Object.keys(document.components?.schemas ?? {});
    expect(schemas).toHaveLength(Object.keys(exact.components?.schemas ?? {}).length);
  });

  it("has one type a schema, recipients as lists, and one way to send the key", () => {
    expect(valuesOf(document, "type").filter((type) => typeof type !== "string")).toEqual([]);
    expect(valuesOf(document, "const")).toEqual([]);
    expect(document.components?.schemas?.SendEmailRequest).toMatchObject({
      properties: { to: { type: "array" }, reply_to: { type: "array" } },
    });
    expect(Object.keys(document.components?.securitySchemes ?? {})).toEqual(["apiKeyHeader"]);
    const securities = new Set(valuesOf(document.paths, "security").map((each) => JSON.stringify(each)));
    expect([...securities]).toEqual(['[{"apiKeyHeader":[]}]']);
  });

  it("names every type with null as nullable", () => {
    const nulls = valuesOf(exact, "type").filter((type) => [type].flat().includes("null"));
    expect(nulls.length).toBeGreaterThan(0);
    expect(valuesOf(document, "nullable")).toEqual(nulls.map(() => true));
  });

  it("refuses a keyword that it cannot say", () => {
    const schemas = { Pair: { prefixItems: [{ type: "string" }] } } as never;
    expect(() => toOpenApi30({ ...exact, components: { schemas } })).toThrow(/"prefixItems"/);
  });

  it("has examples that the contract accepts", () => {
    const bodies = valuesOf(document.paths["/v1/email/send"]?.post?.requestBody, "content") as Array<{
      readonly "application/json": oas31.MediaTypeObject;
    }>;
    const examples = examplesOf(bodies[0]?.["application/json"].examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    for (const [, body] of examples) {
      expect(sendEmailBody.safeParse(body)).toMatchObject({ success: true });
      expect(body).toMatchObject({ to: expect.any(Array) });
    }
  });
});

describe("the examples", () => {
  it.each(examplesOf(sendEmailRequestExamples(new Date())))(
    "request %s is one that the contract takes",
    (_, body) => {
      expect(sendEmailBody.safeParse(body)).toMatchObject({ success: true });
    },
  );

  it.each(examplesOf(sendEmailAcceptedExamples))("answer %s is one that the contract gives", (_, body) => {
    expect(sendEmailAccepted.safeParse(body)).toMatchObject({ success: true });
  });

  it.each([
    ["a page of e-mails", emailPageExamples, emailPage],
    ["an e-mail", emailWithTimelineExamples, emailWithTimeline],
    ["a cancelled e-mail", cancelledEmailExamples, email],
  ])("answer of %s is one that the contract gives", (_, examples, schema) => {
    for (const [, body] of examplesOf(examples)) {
      expect(schema.strict().safeParse(body)).toMatchObject({ success: true });
    }
  });
});

it("the public document marks what is beyond the published interface", () => {
  const marked = operationsOf(openApiDocument()).filter((operation) => operation["x-beyond-interface"]);
  expect(marked.map(({ operationId }) => operationId)).toEqual(["listEmails", "getEmail", "cancelEmail"]);
  for (const { description } of marked) expect(description).toContain("an extension of Hermod");
});
