import { z } from "zod";
import { text } from "./text-field.ts";

/** Alert rules with e-mails that no longer reach the address. */
export const concernedRules = {
  alert_rules: z.array(z.string()).meta({
    description: "Names of the first 10 enabled alert rules that send e-mail to the address.",
    examples: [["pager"]],
    maxItems: 10,
  }),
  alert_rules_count: z.int().meta({
    description: "Number of all enabled alert rules that send e-mail to the address.",
    examples: [1],
  }),
};

const count = (description: string) => z.int().meta({ description });

export const importReport = z
  .object({
    preview: z.boolean().meta({ description: "`true` if the import is a preview and nothing was written." }),
    counts: z
      .object({
        added: count("Number of rows that were, or would be, added."),
        strengthened: count("Number of rows that make, or would make, an existing entry stronger or longer."),
        already_there: count("Number of rows that change nothing, or only the detail of an entry."),
        refused: count("Number of rows that cannot be imported."),
      })
      .meta({ id: "SuppressionImportCounts", description: "Numbers of rows by result." }),
    columns: z
      .array(
        z.object({
          name: text("Heading of the column. Empty if the file has no headings.", "E-mail"),
          field: text(
            "Field that the column was read as: `address`, `reason`, `policy`, `detail`, `created_at` or `expire_at`. Empty if the column was ignored.",
            "address",
          ),
        }),
      )
      .meta({ description: "Columns of the file." }),
    rows: z
      .array(
        z.object({
          row: count("Number of the row as in spreadsheets: the heading is row 1."),
          address: text("Address in the file.", "ann@example.net"),
          outcome: text("Result: `added`, `strengthened`, `already_there` or `refused`.", "added"),
          code: text("Error code. Empty unless the row was refused.", "address.missing_at"),
          field: text(
            "Invalid field. Empty if there is none, or if the error concerns the whole row.",
            "address",
          ),
          message: text("Error as a sentence. Empty unless the row was refused."),
        }),
      )
      .meta({ description: "Result for each row." }),
    ...concernedRules,
  })
  .meta({ id: "SuppressionImportReport", description: "Result of an import, or of its preview." });
