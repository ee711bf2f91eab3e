import { z } from "zod";
import { moment } from "../dashboard/common.ts";

/** What the operations of templates show and take. */

export const templateName = z.string().meta({
  description: "1 to 100 of a-z, 0-9, `.`, `_` and `-`, a letter or digit at both ends.",
  examples: ["welcome"],
});

export const revision = z.string().meta({
  description:
    "`revision` as the last answer had it: when somebody else has changed the template meanwhile, nothing is changed.",
  examples: ["4.2"],
});

export const textName = z.string().meta({
  description: "Number of a version, `draft` or `published`.",
  examples: ["draft", "3"],
});

const person = (what: string) =>
  z.string().meta({
    description: `Who has ${what}: the e-mail address of a user, or \`operator\`; empty: not known.`,
    examples: ["ada@example.com"],
  });

const variable = z
  .strictObject({
    name: z.string().meta({ description: "One name or a dotted path.", examples: ["user.name"] }),
    type: z.string().meta({
      description: "`string`, `number`, `boolean`, `object` or `list`.",
      examples: ["string"],
    }),
    fallback: z.unknown().optional().meta({
      description: "Taken where the data have no such variable; missing: the variable is required.",
    }),
  })
  .meta({ id: "TemplateVariable", description: "A value that a template expects." });

const from = z.string().meta({
  description: "The sender, taken literally; missing: the message names one.",
  examples: ["Shop <hello@example.com>"],
});
const subject = z.string().meta({ description: "In Liquid.", examples: ["Welcome, {{ name }}"] });
const html = z.string().meta({
  description: "In Liquid, up to 1,000,000 characters; `{{ x }}` is escaped, `{{ x | raw }}` is not.",
});
const text = z.string().meta({ description: "In Liquid, up to 1,000,000 characters." });

/** A text of a template, as somebody writes it. */
export const newText = z.strictObject({
  from: from.optional(),
  subject: subject.optional(),
  html: html.optional(),
  text: text.optional(),
  variables: z
    .array(variable)
    .optional()
    .meta({ description: "Up to 500 variables; their fallbacks have 1 MB together." }),
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
  .meta({ id: "TemplateText", description: "What a template says." });

export const builtInTemplate = z
  .object({
    name: z.string().meta({ description: "Its name, which the account may use too.", examples: ["alert"] }),
    ...contentFields,
  })
  .meta({ id: "BuiltInTemplate", description: "A template that Hermod brings along, as one is made." });

const facts = {
  name: templateName,
  revision: z.string().meta({
    description: "What the next change is to name; another one after every change.",
    examples: ["4.2"],
  }),
  published_version: z.int().meta({ description: "The version that messages get; 0: none." }),
  published_at: moment("When it was published.").optional(),
  published_by: person("published it"),
  draft_saved_at: moment("When the draft was saved; missing: there is none.").optional(),
  draft_saved_by: person("saved it"),
};

export const overview = z
  .object(facts)
  .meta({ id: "TemplateOverview", description: "A template, without its text." });

const fault = z
  .object({
    pointer: z.string().meta({ description: "JSON pointer (RFC 6901).", examples: ["/html"] }),
    code: z.string().meta({ description: "What is wrong.", examples: ["template.syntax"] }),
    message: z.string().meta({ description: "The same in a sentence." }),
    line: z.int().meta({ description: "Line of the field, counted from 1; 0: at no single place." }),
    column: z.int().meta({ description: "Column of the line, counted from 1; 0: at no single place." }),
  })
  .meta({ id: "TemplateFault", description: "What is wrong with a template, or with its data." });

/** A JSON object, bounded in the core. */
export const testData = z.record(z.string(), z.unknown());

const names = (description: string) => z.array(z.string()).meta({ description, examples: [["user.name"]] });

export const template = z
  .object({
    ...facts,
    content,
    faults: z.array(fault).meta({ description: "What keeps `content` from being published: up to 100." }),
    undeclared_variables: names("Used in `content` and not declared: up to 100."),
    unused_variables: names("Declared and not used: up to 100."),
    test_data: testData.optional().meta({ description: "What previews are filled in with; missing: none." }),
  })
  .meta({
    id: "Template",
    description: "A template. `content` is its draft, or else what is published.",
  });

const versionFacts = {
  version: z.int().meta({ description: "Its number.", examples: [3] }),
  published: z.boolean().meta({ description: "It is the one that messages get." }),
  published_at: moment("When it was published."),
  published_by: person("published it"),
  restored_version: z.int().meta({ description: "The version that this one has brought back; 0: none." }),
};

export const version = z
  .object(versionFacts)
  .meta({ id: "TemplateVersion", description: "A version, without its text." });

export const stored = z
  .object({ ...versionFacts, content })
  .meta({ id: "StoredTemplate", description: "A version." });

const line = z
  .object({
    kind: z.string().meta({ description: "`same`, `removed` or `added`.", examples: ["added"] }),
    text: z.string(),
    unterminated: z.boolean().meta({ description: "The text ends here, without a line break." }),
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
    description: "Lines that differ, with up to three around them that do not.",
  });

export const difference = z
  .object({
    fields: z.array(
      z
        .object({
          field: z.string().meta({
            description: "`from`, `subject`, `html`, `text` or `variables`, of which each is a line of JSON.",
          }),
          too_different: z.boolean().meta({
            description:
              "More than 1,000 lines differ, both texts have more than 50,000 lines together, or comparing them takes too long: no line is listed.",
          }),
          hunks: z.array(hunk),
        })
        .meta({ id: "FieldDifference" }),
    ),
  })
  .meta({ id: "TemplateDifference", description: "The fields that differ." });

export const preview = z
  .object({
    from: z.string().meta({ description: "The sender; empty: the template names none." }),
    subject: z.string().optional(),
    html: z.string().optional().meta({ description: "Untrusted: to be shown in a sandbox." }),
    text: z.string().optional(),
    faults: z.array(fault).meta({
      description: "With any, nothing was filled in. Pointers lead into the text, or into `/data`.",
    }),
    missing_variables: names("Those that the data lack, dotted as the template writes them."),
  })
  .meta({ id: "TemplatePreview", description: "A text, filled in." });
