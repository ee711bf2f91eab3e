import { create } from "@bufbuild/protobuf";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type {
  builtInEntry,
  content,
  difference,
  overview,
  preview,
  template,
  textPreview,
  version,
} from "../../../contracts/common/template-schemas.ts";
import type { templates as contract } from "../../../contracts/dashboard/templates.ts";
import {
  CompareVersionsResponseSchema,
  type PreviewTemplateResponse,
  PreviewTemplateResponseSchema,
  type StoredTemplate,
  type Template,
  type TemplateDetail,
  TemplateFaultSchema,
  TemplateListingSchema,
  type TemplateOverview,
  TemplateOverviewSchema,
  TemplateVersionSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import { lockHtml } from "../../message/preview/lock-html.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  isForced,
  pageBody,
  pageRequest,
  removedAnswer,
} from "./call.ts";
import { checkPreviewOrigin, setPreviewHeaders } from "./html-preview.ts";

type Overview = z.output<typeof overview>;
type Detail = z.output<typeof template>;
type Facts = Omit<
  Detail,
  "content" | "faults" | "undeclared_variables" | "unused_variables" | "test_data" | "data_sets"
>;
type Preview = z.output<typeof preview>;
type TextPreview = z.output<typeof textPreview>;
type BuiltInEntry = z.output<typeof builtInEntry>;
type Content = z.output<typeof content>;
type Version = z.output<typeof version>;

/** A text as a body has it. */
interface NewText {
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  readonly variables?:
    | readonly { readonly name: string; readonly type: string; readonly fallback?: unknown }[]
    | undefined;
}

/** Handlers of the routes of `dashboard.templates`. */
export function templates(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listTemplates: async ({ request, query }) => {
      const { search = "", state = "", ...asked } = query;
      const listed = { search, state, ...pageRequest(asked) };
      const found = await coreFor(request).templates.listOverviews(listed);
      const data = found.templates.map(overviewOf);
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    createTemplate: async ({ request, body: { name, ...text } }) => {
      const created = await coreFor(request).templates.createTemplate({ template: toTemplate(name, text) });
      return { status: 201, body: detailOf(created.template) };
    },
    getTemplate: async ({ request, params: { template: name } }) => {
      const found = await coreFor(request).templates.getTemplate({ name });
      return { status: 200, body: detailOf(found.template) };
    },
    saveDraft: async ({ request, params: { template: name }, body: { revision, ...text } }) => {
      const saving = { revision, template: toTemplate(name, text) };
      const saved = await coreFor(request).templates.saveDraft(saving);
      return { status: 200, body: detailOf(saved.template) };
    },
    discardDraft: async ({ request, params: { template: name }, body: { revision } }) => {
      const discarded = await coreFor(request).templates.discardDraft({ name, revision });
      return { status: 200, body: detailOf(discarded.template) };
    },
    publishDraft: async ({ request, params: { template: name }, body: { revision } }) => {
      const published = await coreFor(request).templates.publishDraft({ name, revision });
      return { status: 200, body: detailOf(published.template) };
    },
    rollBack: async ({ request, params: { template: name }, body: { revision, version } }) => {
      const rolled = await coreFor(request).templates.rollBack({ name, revision, version });
      return { status: 200, body: detailOf(rolled.template) };
    },
    restoreDraft: async ({ request, params: { template: name }, body: { revision, version } }) => {
      const restored = await coreFor(request).templates.restoreDraft({ name, revision, version });
      return { status: 200, body: detailOf(restored.template) };
    },
    putTestData: async ({ request, params: { template: name }, body: { revision, data } }) => {
      const testDataJson = data === undefined ? "" : JSON.stringify(data);
      const kept = await coreFor(request).templates.putTestData({ name, revision, testDataJson });
      return { status: 200, body: detailOf(kept.template) };
    },
    putDataSet: async ({
      request,
      params: { template: name },
      body: { revision, data_set: dataSet, data },
    }) => {
      const dataJson = data === undefined ? "" : JSON.stringify(data);
      const asked = { name, revision, dataSet, dataJson };
      const saved = await coreFor(request).templates.putDataSet(asked);
      return { status: 200, body: detailOf(saved.template) };
    },
    listVersions: async ({ request, params: { template: name }, query }) => {
      const found = await coreFor(request).templates.listVersions({ name, ...pageRequest(query) });
      const data = found.versions.map((one) => bodyOf<Version>(TemplateVersionSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getVersion: async ({ request, params: { template: name, version } }) => {
      const found = await coreFor(request).templates.getVersion({ name, version });
      return { status: 200, body: storedOf(found.template) };
    },
    compareVersions: async ({ request, params: { template: name }, query }) => {
      const { before = "published", after = "draft" } = query;
      const found = await coreFor(request).templates.compareVersions({ name, before, after });
      return {
        status: 200,
        body: bodyOf<z.output<typeof difference>>(CompareVersionsResponseSchema, found),
      };
    },
    previewTemplate: async ({ request, params: { template: name }, body }) => {
      const { version, data, data_set: dataSet } = body;
      const dataJson = data && JSON.stringify(data);
      const asked = { name, ...withoutUndefined({ version, dataSet, dataJson }) };
      const filled = await coreFor(request).templates.previewTemplate(asked);
      return { status: 200, body: previewOf(filled) };
    },
    previewText: async ({ request, body: { data, ...text } }) => {
      const dataJson = data ? JSON.stringify(data) : "";
      const filled = await coreFor(request).templates.previewText({
        template: toTemplate("", text),
        dataJson,
      });
      const body: TextPreview = {
        ...previewOf(filled.preview),
        undeclared_variables: [...filled.undeclaredVariables],
        unused_variables: [...filled.unusedVariables],
      };
      return { status: 200, body };
    },
    getTemplateDocument: async ({ request, reply, params: { template: name }, query }) => {
      checkPreviewOrigin(request);
      const { version = "", data_set: dataSet = "" } = query;
      const { html } = await coreFor(request).templates.getDocument({ name, version, dataSet });
      setPreviewHeaders(reply);
      return { status: 200, body: lockHtml(html, []) };
    },
    sendTest: async ({ request, params: { template: name }, body }) => {
      const { to, from, version, data, data_set: dataSet, routing_policy: routingPolicy } = body;
      const dataJson = data && JSON.stringify(data);
      const asked = { name, to, ...withoutUndefined({ from, version, dataSet, dataJson, routingPolicy }) };
      const sent = await coreFor(request).templates.sendTest(asked);
      return { status: 202, body: { message_id: sent.messageId, sx_trace_id: sent.traceId } };
    },
    duplicateTemplate: async ({ request, params: { template: name }, body: { new_name: newName } }) => {
      const created = await coreFor(request).templates.duplicateTemplate({ name, newName });
      return { status: 201, body: detailOf(created.template) };
    },
    deleteTemplate: async ({ request, params: { template: name }, query }) => {
      const asked = { name, force: isForced(query), ifRevision: query.if_revision ?? "" };
      const removed = await coreFor(request).templates.deleteTemplate(asked);
      return removedAnswer(removed);
    },
    listBuiltInTemplates: async ({ request }) => {
      const { templates: found } = await coreFor(request).templates.listBuiltInTemplates({});
      const data = found.map(
        ({ name, title, description, subject, variables }): BuiltInEntry => ({
          name,
          title,
          description,
          subject,
          variables: variablesOf(variables),
        }),
      );
      return { status: 200, body: { data } };
    },
    getBuiltInTemplate: async ({ request, params: { template: name } }) => {
      const found = await coreFor(request).templates.getBuiltInTemplate({ name });
      const { template, title, description, exampleDataJson } = found;
      const exampleData = JSON.parse(exampleDataJson) as Record<string, unknown>;
      return {
        status: 200,
        body: { name, title, description, ...contentOf(template), example_data: exampleData },
      };
    },
  };
}

function overviewOf({ listing, ...facts }: TemplateOverview): Overview {
  return {
    ...bodyOf<Facts>(TemplateOverviewSchema, facts),
    ...bodyOf<Omit<Overview, keyof Facts>>(TemplateListingSchema, listing),
  };
}

function previewOf(filled: PreviewTemplateResponse | undefined): Preview {
  const document = filled?.html === undefined ? undefined : lockHtml(filled.html, []);
  return {
    ...bodyOf<Preview>(PreviewTemplateResponseSchema, filled),
    ...withoutUndefined({ document }),
  };
}

function toTemplate(name: string, { variables = [], ...text }: NewText) {
  return {
    name,
    ...withoutUndefined(text),
    variables: variables.map(({ name: variable, type, fallback }) => ({
      name: variable,
      type,
      ...(fallback !== undefined && { fallbackJson: JSON.stringify(fallback) }),
    })),
  };
}

function contentOf(template: Template | undefined): Content {
  const { from, subject = "", html, text, variables = [] } = template ?? {};
  return {
    subject,
    ...withoutUndefined({ from, html, text }),
    variables: variablesOf(variables),
  };
}

function variablesOf(variables: Template["variables"]): Content["variables"] {
  return variables.map(({ name, type, fallbackJson }) => ({
    name,
    type,
    ...(fallbackJson !== undefined && { fallback: JSON.parse(fallbackJson) as unknown }),
  }));
}

function detailOf(detail: TemplateDetail | undefined): Detail {
  const { overview, template, faults = [], testDataJson: data = "", dataSets = [] } = detail ?? {};
  return {
    ...bodyOf<Facts>(TemplateOverviewSchema, overview),
    content: contentOf(template),
    faults: faults.map((one) => bodyOf(TemplateFaultSchema, one)),
    undeclared_variables: [...(detail?.undeclaredVariables ?? [])],
    unused_variables: [...(detail?.unusedVariables ?? [])],
    ...(data !== "" && { test_data: JSON.parse(data) as Record<string, unknown> }),
    data_sets: dataSets.map(({ name, dataJson }) => ({
      name,
      data: JSON.parse(dataJson) as Record<string, unknown>,
    })),
  };
}

function storedOf(stored: StoredTemplate | undefined): Version & { content: Content } {
  const { version = 0, publishedAt, publishedBy = "", restoredVersion = 0, published = false } = stored ?? {};
  const facts = create(TemplateVersionSchema, {
    version,
    publishedBy,
    restoredVersion,
    published,
    ...(publishedAt && { publishedAt }),
  });
  return { ...bodyOf<Version>(TemplateVersionSchema, facts), content: contentOf(stored?.template) };
}
