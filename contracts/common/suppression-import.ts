import { z } from "zod";
import { text } from "./text-field.ts";

/** Alert rules whose mail does not reach the address from now on. */
export const concernedRules = {
  alert_rules: z.array(z.string()).meta({
    description: "Names of the first 10 enabled alert rules that mail to it.",
    examples: [["pager"]],
    maxItems: 10,
  }),
  alert_rules_count: z.int().meta({ description: "All alert rules that mail to it.", examples: [1] }),
};

const count = (description: string) => z.int().meta({ description });

export const importReport = z
  .object({
    preview: z.boolean().meta({ description: "Nothing was written." }),
    counts: z
      .object({
        added: count("Rows that were, or would be, added."),
        strengthened: count("Rows whose entry is, or would be, stronger or longer."),
        already_there: count("Rows that change nothing, or at most a note."),
        refused: count("Rows that cannot be imported."),
      })
      .meta({ id: "SuppressionImportCounts", description: "How many rows." }),
    columns: z
      .array(
        z.object({
          name: text("Its heading; empty: the file has none.", "E-mail"),
          field: text(
            "What it was read as: `address`, `reason`, `policy`, `detail`, `created_at` or `expire_at`; empty: nothing was read of it.",
            "address",
          ),
        }),
      )
      .meta({ description: "The columns of the file." }),
    rows: z
      .array(
        z.object({
          row: count("As spreadsheets count: the heading is row 1."),
          address: text("As it was given.", "ann@example.net"),
          outcome: text("`added`, `strengthened`, `already_there` or `refused`.", "added"),
          code: text("Why it was refused; otherwise empty.", "address.missing_at"),
          field: text("The field that is wrong; empty: none, or the row as a whole.", "address"),
          message: text("The same as a sentence; otherwise empty."),
        }),
      )
      .meta({ description: "What becomes of each row." }),
    ...concernedRules,
  })
  .meta({ id: "SuppressionImportReport", description: "What an import has done, or would do." });
