import { z } from "zod";

const textPart = z
  .object({
    code: z.string().meta({
      description: "Stable code of the text. Later versions may add codes.",
      examples: ["rule.only_other"],
    }),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          "Values in the text, by name, each a string, a number or a list of strings. Missing if it has none.",
        examples: [{ domain: "example.org" }],
        // The same as an empty schema, which the API reference refuses here.
        additionalProperties: true,
      }),
  })
  .meta({
    id: "TextPart",
    description:
      "Part of an English text, for clients that translate it: a sentence, or the beginning of one that the next part ends.",
  });

/** The parts of the text in another field. */
export const partsOf = (field: string) =>
  z.array(textPart).meta({
    description: `Parts of \`${field}\`, which are joined by spaces, for clients that translate it. Empty if the text is known only in English: a server wrote it, or an earlier release stored it.`,
  });
