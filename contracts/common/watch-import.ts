import { z } from "zod";
import { count, moment } from "./intel-fields.ts";
import { clientId, domainFields, domainId, workspaceId } from "./intel-schemas.ts";
import { faultParamsField } from "./problem.ts";
import { text } from "./text-field.ts";

/** Changes of many watched domains at once, in the dashboard API. */

const confirmation = text(
  "Send it with the same request within ten minutes to start the job.",
  "mb3k2w1x.c8.Zm9v…",
);
const confirmBefore = moment("End of the validity of the confirmation.");
const givenConfirmation = text("`confirmation` of the earlier response. Missing: nothing is changed yet.");
const workspace = workspaceId
  .optional()
  .meta({ description: "Id of the workspace. Missing: the first workspace of the account." });

export const newWatchImport = z
  .strictObject({
    csv: text(
      "Text of the file, up to 2 MiB and 5,000 rows. The first row names the columns: `domain` is required; `client`, `client_ref`, `client_emails`, `role`, `dkim_selectors`, `sending_ips`, `paused`, `tags` and `notes` are optional. Several values in a cell are separated by spaces, commas or semicolons.",
      "client,domain,sending_ips\r\nExample Ltd,example.com,93.184.215.14\r\n",
    ),
    workspace_id: workspace,
    confirmation: givenConfirmation.optional(),
  })
  .meta({ id: "NewWatchImport", description: "File with domains and their clients." });

export const watchImportPreview = z
  .object({
    added: count("Number of rows that add a domain."),
    already_there: count("Number of rows with a domain that the client already has."),
    refused: count("Number of rows that cannot be imported."),
    new_clients: count("Number of clients that the import creates."),
    columns: z
      .array(
        z.object({
          name: text("Heading of the column.", "Customer"),
          field: text("Field that the column is read as. Empty if the column is ignored.", "client"),
        }),
      )
      .meta({ description: "Columns of the file." }),
    rows: z
      .array(
        z.object({
          row: count("Number of the row as in spreadsheets: the heading is row 1."),
          domain: text("Domain in A-labels, or as in the file if the row is refused.", "example.com"),
          client: text("Name of the client. Empty if the row is refused.", "Example Ltd"),
          outcome: text("`added`, `already_there` or `refused`.", "added"),
          new_client: z.boolean().meta({ description: "`true` if the row creates the client." }),
          code: text("Error code. Empty unless the row is refused.", "domain.duplicate"),
          field: text("Column with the error. Empty if the error is about the whole row.", "domain"),
          message: text("Error as a sentence. Empty unless the row is refused."),
          params: faultParamsField,
        }),
      )
      .meta({ description: "Expected result of each row." }),
    confirmation,
    confirm_before: confirmBefore,
  })
  .meta({ id: "WatchImportPreview", description: "Expected result of an import. Nothing was changed." });

export const watchBulk = z
  .strictObject({
    workspace_id: workspace,
    ids: z.array(domainId).optional().meta({
      description: "Domains of the workspace: up to 1,000 ids. Missing: those that match `filter`.",
    }),
    filter: z
      .strictObject({
        client_id: clientId.optional(),
        status: z.enum(["pending", "healthy", "warning", "critical", "error", "paused"]).optional(),
        role: z.enum(["sending", "receiving", "parked"]).optional(),
        grade: z.enum(["A", "B", "C", "D", "F"]).optional(),
        finding: text("Id of a check that is a finding.", "auth.dmarc.policy").optional(),
        search: text("Beginning of a label of the name.", "exam").optional(),
        tag: text("Tag of the domain.", "shop").optional(),
      })
      .optional()
      .meta({
        description:
          "Filter with the parameters of the list of domains. An empty filter does not select all domains.",
      }),
    action: z.enum(["pause", "resume", "mute", "unmute", "move", "tag", "untag", "note", "remove"]).meta({
      description:
        "`pause` and `resume` the checks; `mute` and `unmute` one check; `move` to another client of the workspace; `tag` and `untag` add and remove tags; `note` replaces the notes; `remove` stops watching the domains and removes all their data.",
    }),
    check_id: text("Check to mute or unmute.", "auth.dmarc.policy").optional(),
    until: moment("End of the mute, in the future and at most one year ahead.").optional(),
    reason: text("Reason of the mute, up to 500 characters.").optional(),
    client_id: clientId.optional().meta({ description: "New client of the domains, for `move`." }),
    tags: domainFields.tags.optional().meta({
      description: "Tags to add or remove, for `tag` and `untag`: 1 to 20, of 1 to 64 characters each.",
    }),
    notes: text("New notes, for `note`, up to 5,000 characters. Empty: removes the notes.").optional(),
    confirmation: givenConfirmation.optional(),
  })
  .meta({ id: "WatchBulk", description: "Action on many watched domains." });

export const watchBulkCount = z
  .object({
    count: count("Number of domains."),
    sample: z
      .array(z.string())
      .meta({ description: "Names of up to 5 of them.", examples: [["example.com"]] }),
    confirmation,
    confirm_before: confirmBefore,
  })
  .meta({ id: "WatchBulkCount", description: "Domains of a bulk action. Nothing was changed." });
