import type { PreviewWatchImportResponse } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { confirmedJobCommand } from "./confirmed-job.ts";
import { type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { readText } from "./input/read-text.ts";
import { printable, shortened } from "./output/text.ts";

/** `hermod intel import`: shows what the file would change, asks, and shows the progress of the job. */
export const intelImport = confirmedJobCommand({
  name: "import",
  description: "Import domains and their clients from a CSV file. Shows refused rows and asks first.",
  arguments: [["<file>", "CSV with the columns domain and client, or - for standard input"]],
  options: [WORKSPACE],
  count: async ({ core, account, args: [file = "-"], environment }, { workspace }: InWorkspace) => {
    const csv = await readText(file, environment.input);
    const request = { accountId: account, workspaceId: workspace, csv };
    const preview = await core.watches.previewWatchImport(request);
    const { confirmation } = preview;
    return {
      described: described(preview),
      begin: () => core.watches.beginWatchImport({ ...request, confirmation }),
    };
  },
});

function described(preview: PreviewWatchImportResponse): string {
  const { added, alreadyThere, refused, newClients, columns, rows } = preview;
  const wrong = rows.filter(({ outcome }) => outcome === "refused");
  const ignored = columns.filter(({ field }) => field === "").map(({ name }) => `"${printable(name)}"`);
  return [
    `Domains to add: ${added}. Clients to create: ${newClients}. Domains already there: ${alreadyThere}.`,
    `Refused rows: ${refused}.`,
    ...wrong.map(({ row, domain, field, message }) => {
      const reason = [field, message].filter(Boolean).join(": ");
      return `  row ${row}  ${shortened(printable(domain), 60)}  ${printable(reason)}`;
    }),
    ...(ignored.length > 0 ? [`Ignored columns: ${ignored.join(", ")}.`] : []),
  ].join("\n");
}
