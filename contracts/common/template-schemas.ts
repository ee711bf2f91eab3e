import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { resourceUser } from "./resource-use.ts";

/** Schemas of the template operations. */

export const templateName = z.string().meta({
  description:
    "Name of 1 to 100 characters: a-z, 0-9, `.`, `_` and `-`. It starts and ends with a letter or digit.",
  examples: ["welcome"],
});

export const revision = z.string().meta({
  description: "`revision` of the last response. If the template has changed since, nothing is changed.",
  examples: ["4.2"],
});

export const textName = z.string().meta({
  description: "Version number, `draft` or `published`.",
  examples: ["draft", "3"],
});

const person = (verb: string) =>
  z.string().meta({
    description: `User who ${verb}: e-mail address, or \`operator\`. Empty if unknown.`,
    examples: ["ada@example.com"],
  });

const variable = z
  .strictObject({
    name: z.string().meta({ description: "Name, or a dotted path of names.", examples: ["user.name"] }),
    type: z.string().meta({
      description: "Type: `string`, `number`, `boolean`, `object` or `list`.",
      examples: ["string"],
    }),
    fallback: z.unknown().optional().meta({
      description:
        "Value to use if the data do not contain the variable. Without it, the variable is required.",
    }),
  })
  .meta({ id: "TemplateVariable", description: "Variable that a template expects." });

const from = z.string().meta({
  description: "Sender. It is not a Liquid template. Without it, the message must name the sender.",
  examples: ["Shop <hello@example.com>"],
});
const subject = z.string().meta({ description: "Subject, in Liquid.", examples: ["Welcome, {{ name }}"] });
const html = z.string().meta({
  description:
    "HTML body in Liquid, up to 1,000,000 characters. `{{ x }}` is escaped, `{{ x | raw }}` is not.",
});
const text = z.string().meta({ description: "Plain-text body in Liquid, up to 1,000,000 characters." });

/** Contents of a template, as in a request. */
export const newText = z.strictObject({
  from: from.optional(),
  subject: subject.optional(),
  html: html.optional(),
  text: text.optional(),
  variables: z
    .array(variable)
    .optional()
    .meta({ description: "Up to 500 variables. Their fallbacks have up to 1 MB in total." }),
});

const contentFields = {
  from: from.optional(),
  subject,
  html: html.optional(),
  text: text.optional(),
  variables: z.array(variable),
};

export const content = z
  .object(contentFields)
  .meta({ id: "TemplateText", description: "Contents of a template." });

const builtInFields = {
  name: z.string().meta({
    description: "Name. The account may use the same name for its own template.",
    examples: ["welcome"],
  }),
  title: z.string().meta({ description: "Title for people.", examples: ["Welcome"] }),
  description: z.string().meta({
    description: "Purpose, as one sentence.",
    examples: ["Greets a new user and leads to the first steps."],
  }),
};

export const builtInEntry = z
  .object({ ...builtInFields, subject, variables: z.array(variable) })
  .meta({ id: "BuiltInTemplateEntry", description: "Built-in template without its bodies." });

const facts = {
  name: templateName,
  revision: z.string().meta({
    description: "Revision, which the next change must name. It differs after every change.",
    examples: ["4.2"],
  }),
  published_version: z
    .int()
    .meta({ description: "Version used for messages. 0 if no version is published." }),
  published_at: moment("Time of publication.").optional(),
  published_by: person("published the version"),
  draft_saved_at: moment("Time at which the draft was saved. Missing if there is no draft.").optional(),
  draft_saved_by: person("saved the draft"),
};

export const overview = z
  .object({
    ...facts,
    subject: z.string().meta({
      description:
        "Subject of the draft, or of the published version if there is no draft. First 300 characters.",
      examples: ["Welcome, {{ name }}"],
    }),
    draft_differs: z.boolean().meta({
      description:
        "`true` if there is a draft with another text than the published version. A draft that an earlier release saved counts as different.",
    }),
    used_by: z.array(resourceUser).meta({
      description: "First 10 resources that use the template: enabled alert rules.",
      maxItems: 10,
    }),
    used_by_count: z.int().meta({ description: "Number of all resources that use the template." }),
    accepted_count: z.int().meta({
      description:
        "Messages accepted with the template in the last 30 days (UTC), today included. Hermod counts up to 200 templates of an account per day.",
    }),
    last_used_on: z
      .string()
      .optional()
      .meta({
        description: "Last of these days (UTC) with such a message. Missing if there is none.",
        format: "date",
        examples: ["2026-11-22"],
      }),
  })
  .meta({ id: "TemplateOverview", description: "Template without its contents, with its uses." });

const fault = z
  .object({
    pointer: z.string().meta({ description: "JSON pointer (RFC 6901).", examples: ["/html"] }),
    code: z.string().meta({ description: "Error code.", examples: ["template.syntax"] }),
    message: z.string().meta({ description: "Error as a sentence." }),
    line: z.int().meta({ description: "Line in the field, from 1. 0 if the error has no single position." }),
    column: z
      .int()
      .meta({ description: "Column in the line, from 1. 0 if the error has no single position." }),
  })
  .meta({ id: "TemplateFault", description: "Error in a template or in its data." });

/** A JSON object. The core checks its limits. */
export const testData = z.record(z.string(), z.unknown());

export const dataSetName = z.string().meta({
  description: "Name of a data set: 1 to 60 characters.",
  examples: ["Empty cart"],
});

export const builtInTemplate = z
  .object({
    ...builtInFields,
    ...contentFields,
    example_data: testData.meta({ description: "Value for each variable, for previews." }),
  })
  .meta({
    id: "BuiltInTemplate",
    description: "Built-in template. Its contents have the form for creating a template.",
  });

const names = (description: string) => z.array(z.string()).meta({ description, examples: [["user.name"]] });

export const template = z
  .object({
    ...facts,
    content,
    faults: z
      .array(fault)
      .meta({ description: "Errors that prevent the publication of `content`: up to 100." }),
    undeclared_variables: names("Variables used in `content` but not declared: up to 100."),
    unused_variables: names("Variables declared but not used: up to 100."),
    test_data: testData.optional().meta({
      description: "Data for previews: the data set `default`. Missing if there are none.",
    }),
    data_sets: z
      .array(
        z
          .object({ name: dataSetName, data: testData.meta({ description: "Data for previews." }) })
          .meta({ id: "TemplateDataSet", description: "Named data for previews." }),
      )
      .meta({ description: "Up to 10 further data sets, in the order of their creation." }),
  })
  .meta({
    id: "Template",
    description: "Template. `content` is its draft, or the published version if there is no draft.",
  });

const versionFacts = {
  version: z.int().meta({ description: "Number of the version.", examples: [3] }),
  published: z.boolean().meta({ description: "`true` for the version used for messages." }),
  published_at: moment("Time of publication."),
  published_by: person("published the version"),
  restored_version: z
    .int()
    .meta({ description: "Earlier version that this version restored. 0 if it restored none." }),
};

export const version = z
  .object(versionFacts)
  .meta({ id: "TemplateVersion", description: "Version without its contents." });

export const stored = z
  .object({ ...versionFacts, content })
  .meta({ id: "StoredTemplate", description: "Version with its contents." });

const line = z
  .object({
    kind: z
      .string()
      .meta({ description: "Kind of the line: `same`, `removed` or `added`.", examples: ["added"] }),
    text: z.string(),
    unterminated: z.boolean().meta({ description: "`true` if the text ends here without a line break." }),
  })
  .meta({ id: "DifferenceLine" });

const hunk = z
  .object({
    before_line: z.int().meta({ description: "Number of the first line in the earlier text." }),
    after_line: z.int().meta({ description: "Number of the first line in the later text." }),
    lines: z.array(line),
  })
  .meta({
    id: "DifferenceHunk",
    description: "Lines that differ, with up to three unchanged lines around them.",
  });

export const difference = z
  .object({
    fields: z.array(
      z
        .object({
          field: z.string().meta({
            description:
              "Field: `from`, `subject`, `html`, `text` or `variables`. In `variables`, each variable is one line of JSON.",
          }),
          too_different: z.boolean().meta({
            description:
              "`true` if more than 1,000 lines differ, if both texts together have more than 50,000 lines, or if the comparison takes too long. No lines are listed then.",
          }),
          hunks: z.array(hunk),
        })
        .meta({ id: "FieldDifference" }),
    ),
  })
  .meta({ id: "TemplateDifference", description: "Fields that differ." });

const previewFields = {
  from: z.string().meta({ description: "Sender. Empty if the template names none." }),
  subject: z.string().optional(),
  html: z.string().optional().meta({ description: "HTML body. It is untrusted: show `document` instead." }),
  document: z.string().optional().meta({
    description:
      "HTML body for `srcdoc` of a frame with an empty `sandbox` attribute: without elements that connect to other hosts. Links open in a new tab.",
  }),
  text: z.string().optional(),
  faults: z.array(fault).meta({
    description:
      "Errors. If there are any, nothing was rendered. Their pointers refer to the contents, or to `/data`.",
  }),
  missing_variables: names("Variables missing in the data, as dotted paths like in the template."),
  html_bytes: z.int().meta({ description: "Size of the HTML body in bytes. 0 if there is none." }),
  is_clipped: z.boolean().meta({
    description: "`true` if Gmail hides a part of the HTML body, because it has more than 102 kB.",
  }),
};

export const preview = z
  .object(previewFields)
  .meta({ id: "TemplatePreview", description: "Rendered contents." });

export const textPreview = z
  .object({
    ...previewFields,
    undeclared_variables: names("Variables used in the text but not declared: up to 100."),
    unused_variables: names("Variables declared but not used: up to 100."),
  })
  .meta({ id: "TextPreview", description: "Rendered contents of a text that is not stored." });
