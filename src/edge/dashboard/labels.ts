import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { labels as contract, label } from "../../../contracts/dashboard/labels.ts";
import { type Label as Found, LabelSchema } from "../../../gen/hermod/label/v1/label_service_pb.ts";
import { decodeBase64 } from "../../message/mime/attachments.ts";
import { contentDisposition } from "../../shared/content-disposition.ts";
import { validationFault } from "../../shared/fault.ts";
import { nullBodyOf } from "../intel-body.ts";
import { askedByQuery } from "../intel-requests.ts";
import { createCoreFor, type DashboardParts, pageBody, pageRequest } from "./call.ts";
import { checkPreviewOrigin, setFileHeaders } from "./html-preview.ts";

type Label = z.output<typeof label>;

interface NewLabel {
  readonly name?: string | undefined;
  readonly color?: string | undefined;
  readonly logo?: string | null | undefined;
}

/** Handlers of the routes of `dashboard.labels`. */
export function labels(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listLabels: async ({ request, query }) => {
      const asked = { ...pageRequest(query), workspaceId: query.workspace_id ?? "" };
      const found = await askedByQuery(coreFor(request).labels.listLabels(asked));
      return { status: 200, body: pageBody(found.labels.map(labelBody), found.nextPageToken) };
    },
    getLabel: async ({ request, params }) => {
      const found = await coreFor(request).labels.getLabel({ id: params.label_id });
      return { status: 200, body: labelBody(found.label) };
    },
    putLabel: async ({ request, params, body }) => {
      const { if_revision: ifRevision = "", ...given } = body;
      const asked = { id: params.label_id, settings: settingsOf(given), ifRevision };
      const put = await coreFor(request).labels.putLabel(asked);
      return { status: 200, body: labelBody(put.label) };
    },
    deleteLabel: async ({ request, params, query }) => {
      const asked = { id: params.label_id, ifRevision: query.if_revision ?? "" };
      await coreFor(request).labels.deleteLabel(asked);
      return { status: 204, body: undefined };
    },
    getLabelLogo: async ({ request, reply, params }) => {
      checkPreviewOrigin(request);
      const { content } = await coreFor(request).labels.getLabelLogo({ id: params.label_id });
      setFileHeaders(reply, contentDisposition("inline", "logo.png"));
      return { status: 200, body: Buffer.from(content) };
    },
    previewLabel: async ({ request, params, body }) => {
      const asked = { id: params.label_id, settings: settingsOf(body) };
      const { html, colors } = await coreFor(request).labels.previewLabel(asked);
      if (!colors) throw new Error("the core answered without the colors of a label");
      const { fill, textOnFill, contrast, textOnLight, textOnDark, adjusted } = colors;
      return {
        status: 200,
        body: {
          document: html,
          colors: {
            fill,
            text_on_fill: textOnFill,
            contrast,
            text_on_light: textOnLight,
            text_on_dark: textOnDark,
            adjusted,
          },
        },
      };
    },
  };
}

function settingsOf({ name = "", color = "", logo }: NewLabel) {
  if (logo === undefined) return { name, color, keepLogo: true };
  return { name, color, logo: logo === null ? new Uint8Array() : logoBytes(logo) };
}

/** @throws Fault request.validation_failed */
function logoBytes(text: string): Uint8Array {
  const decoded = decodeBase64(text);
  if (decoded.ok) return decoded.content;
  throw validationFault([{ pointer: "/logo", code: "field.invalid", message: decoded.message }]);
}

function labelBody(found: Found | undefined): Label {
  return nullBodyOf(LabelSchema, found);
}
