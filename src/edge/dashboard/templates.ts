import { create } from "@bufbuild/protobuf";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type {
  content,
  difference,
  overview,
  preview,
  template,
  version,
} from "../../../contracts/common/template-schemas.ts";
import type { templates as contract } from "../../../contracts/dashboard/templates.ts";
import {
  CompareVersionsResponseSchema,
  PreviewTemplateResponseSchema,
  type StoredTemplate,
  type Template,
  type TemplateDetail,
  TemplateFaultSchema,
  TemplateOverviewSchema,
  TemplateVersionSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
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

type Overview = z.output<typeof overview>;
type Detail = z.output<typeof template>;
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
      const found = await coreFor(request).templates.listOverviews(pageRequest(query));
      const data = found.templates.map((one) => bodyOf<Overview>(TemplateOverviewSchema, one));
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
    putTestData: async ({ request, params: { template: name }, body: { revision, data } }) => {
      const testDataJson = data === undefined ? "" : JSON.stringify(data);
      const kept = await coreFor(request).templates.putTestData({ name, revision, testDataJson });
      return { status: 200, body: detailOf(kept.template) };
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
    previewTemplate: async ({ request, params: { template: name }, body: { version, data } }) => {
      const asked = { name, ...withoutUndefined({ version, dataJson: data && JSON.stringify(data) }) };
      const filled = await coreFor(request).templates.previewTemplate(asked);
      return {
        status: 200,
        body: bodyOf<z.output<typeof preview>>(PreviewTemplateResponseSchema, filled),
      };
    },
    sendTest: async ({ request, params: { template: name }, body }) => {
      const { to, from, version, data, routing_policy: routingPolicy } = body;
      const dataJson = data && JSON.stringify(data);
      const asked = { name, to, ...withoutUndefined({ from, version, dataJson, routingPolicy }) };
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
    getBuiltInTemplate: async ({ request, params: { template: name } }) => {
      const { template } = await coreFor(request).templates.getBuiltInTemplate({ name });
      return { status: 200, body: { name, ...contentOf(template) } };
    },
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
    variables: variables.map(({ name, type, fallbackJson }) => ({
      name,
      type,
      ...(fallbackJson !== undefined && { fallback: JSON.parse(fallbackJson) as unknown }),
    })),
  };
}

function detailOf(detail: TemplateDetail | undefined): Detail {
  const { overview, template, faults = [], testDataJson: data = "" } = detail ?? {};
  return {
    ...bodyOf<Overview>(TemplateOverviewSchema, overview),
    content: contentOf(template),
    faults: faults.map((one) => bodyOf(TemplateFaultSchema, one)),
    undeclared_variables: [...(detail?.undeclaredVariables ?? [])],
    unused_variables: [...(detail?.unusedVariables ?? [])],
    ...(data !== "" && { test_data: JSON.parse(data) as Record<string, unknown> }),
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
