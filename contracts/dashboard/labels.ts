import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { workspaceId } from "../common/intel-schemas.ts";
import { octets } from "../common/mail-contents.ts";
import { ifRevisionOrNone, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { flag, text } from "../common/text-field.ts";
import { moment, page, pageQuery } from "./common.ts";
import { workspaceQuery } from "./workspaces.ts";

const c = initContract();

const colors = z
  .object({
    fill: text("Color of bands.", "#0b5394"),
    text_on_fill: text("Color of text on bands.", "#ffffff"),
    contrast: z.number().meta({
      description: "Contrast ratio of both (WCAG 2.2), 1 to 21. It is at least 4.5.",
      examples: [7.9],
    }),
    text_on_light: text("Color of headings on white paper.", "#0b5394"),
    text_on_dark: text("Color of headings on a dark page.", "#5b8ab6"),
    adjusted: flag(
      "Whether the color is not readable as text on white paper, so that headings use a darker one.",
    ),
  })
  .meta({ id: "LabelColors", description: "Use of the color in documents. All texts are readable." });

export const label = z
  .object({
    id: text("Id of the workspace or client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    workspace_id: workspaceId,
    scope: text("`workspace` or `client`.", "client"),
    name: z
      .string()
      .nullable()
      .meta({ description: "Name of the issuer; `null`: reports name none.", examples: ["Acme Agency"] }),
    color: z
      .string()
      .nullable()
      .meta({ description: "Color of documents; `null`: the default color.", examples: ["#0b5394"] }),
    logo: z
      .object({
        width: z.int().meta({ description: "Width in pixels.", examples: [480] }),
        height: z.int().meta({ description: "Height in pixels.", examples: [120] }),
        size_bytes: z.int().meta({ description: "Size of the PNG in bytes.", examples: [18_204] }),
      })
      .meta({ id: "LabelLogo", description: "Logo of the issuer." })
      .nullable()
      .meta({ description: "Logo of the issuer; `null`: reports have none." }),
    colors,
    created_at: moment("Time when the label was created."),
    updated_at: moment("Time of the last change."),
    revision,
  })
  .meta({
    id: "Label",
    description: "Label of reports: name, color and logo of their issuer, for a workspace or a client.",
  });

const newLabel = z.strictObject({
  name: z
    .string()
    .optional()
    .meta({
      description: "Name of the issuer: up to 100 characters. Default: none.",
      examples: ["Acme Agency"],
    }),
  color: z
    .string()
    .optional()
    .meta({ description: "Color as `#rrggbb`. Default: the default color.", examples: ["#0b5394"] }),
  logo: z
    .string()
    .max(700_000)
    .nullable()
    .optional()
    .meta({
      description:
        "Logo in base64: a PNG of at most 256 KiB and 1,600 pixels on each side, with at most 8 bits per channel and not interlaced. SVG is refused. `null` removes the logo. Missing: the present logo stays.",
      examples: ["iVBORw0KGgo="],
    }),
});

const pathParams = z.object({
  label_id: text("Id of the workspace or client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
});

export const labels = c.router({
  listLabels: {
    method: "GET",
    path: "/api/intel/labels",
    summary: "List labels of reports",
    description: "Lists the labels of one workspace and its clients, without the images.",
    query: pageQuery.extend(workspaceQuery),
    ...reading({
      access: "intel.read",
      faults: ["request.validation_failed", "workspace.unknown", "cursor.invalid"],
      success: { 200: page("LabelList", label) },
    }),
  },
  getLabel: {
    method: "GET",
    path: "/api/intel/labels/:label_id",
    pathParams,
    summary: "Get a label of reports",
    ...reading({ access: "intel.read", faults: ["label.unknown"], success: { 200: label } }),
  },
  putLabel: {
    method: "PUT",
    path: "/api/intel/labels/:label_id",
    pathParams,
    summary: "Create or replace a label of reports",
    description:
      "Replaces the label of a workspace or client. Later reports and their links use it. A report about a client or its domains uses the label of the client; without one, the label of the workspace. A report with its own `branding` uses no label. Existing reports do not change. Hermod encodes the logo again and stores only its pixels.",
    body: newLabel.extend({ if_revision: ifRevisionOrNone }).meta({
      id: "LabelReplacement",
      description: "Complete settings of a label.",
    }),
    ...changing({
      access: "intel.write",
      faults: ["workspace.unknown", "client.unknown", "resource.stale"],
      success: { 200: label },
    }),
  },
  deleteLabel: {
    method: "DELETE",
    path: "/api/intel/labels/:label_id",
    pathParams,
    summary: "Remove a label of reports",
    description:
      "Removes the label of a workspace or client. Later reports about a client use the label of its workspace. Existing reports do not change.",
    query: ifRevisionQuery,
    body: c.noBody(),
    ...changing({
      access: "intel.write",
      faults: ["label.unknown", "resource.stale"],
      success: { 204: c.noBody() },
    }),
  },
  getLabelLogo: {
    method: "GET",
    path: "/api/intel/labels/:label_id/logo",
    pathParams,
    summary: "Fetch the logo of a label",
    ...reading({
      access: "intel.read",
      faults: ["label.unknown", "request.cross_site"],
      success: { 200: octets("image/png", "Image of the logo.") },
    }),
  },
  previewLabel: {
    method: "POST",
    path: "/api/intel/labels/:label_id/preview",
    pathParams,
    summary: "Preview a label of reports",
    description:
      "Creates an example report with a label, and stores nothing. Without `logo` it shows the stored logo. An account can have two previews at once.",
    body: newLabel.meta({ id: "PreviewLabelRequest", description: "Label to preview." }),
    ...changing({
      access: "intel.read",
      faults: ["workspace.unknown", "client.unknown"],
      success: {
        200: z
          .object({
            document: text(
              "HTML of the example report, for a sandboxed frame. It loads nothing and runs nothing.",
            ),
            colors,
          })
          .meta({ id: "LabelPreview", description: "Example report." }),
      },
    }),
  },
});
