import { numberText } from "../number-text.ts";
import { plural } from "../plural.ts";

// Texts of the fields that pick domains of Deliverability Intel, and of their import.

const domains = { one: "domain", other: "domains" };
const rows = { one: "row", other: "rows" };
const clients = { one: "new client", other: "new clients" };

export const intelScope = {
  workspace: "Workspace",
  client: "Client",
  domain: "Domain",
  findClient: "Name of the client",
  findDomain: "Name of the domain",
};

export const watchImport = {
  title: "Import domains",
  detail: "Adds many domains and their clients from a CSV file. You see the result of each row first.",
  file: "CSV file",
  fileDetail: "Up to 5,000 rows and 2 MiB. The first row names the columns.",
  chooseFile: "Choose a file",
  example: "Save an example",
  exampleClient: "Example Ltd",
  columns: "Columns of the file",
  fields: {
    domain: "Name of the domain. The only required column.",
    client: "Name of the client. A client that does not exist yet is created.",
    client_ref: "Your reference of the client. It finds a client before its name does.",
    client_emails: "Contact addresses of a new client.",
    role: "sending, receiving or parked. Default: sending.",
    dkim_selectors: "DKIM selectors, separated by spaces.",
    sending_ips: "IP addresses that send mail of the domain, separated by spaces.",
    paused: "yes or no. A paused domain is not checked.",
    tags: "Tags of the domain, separated by commas.",
    notes: "Notes for members.",
  },
  row: "Row",
  rows: "Rows of the file",
  outcome: "Result",
  outcomes: { added: "New", already_there: "Already there", refused: "Refused" } as Readonly<
    Record<string, string>
  >,
  domain: "Domain",
  client: "Client",
  newClient: "new",
  reason: "Reason",
  ofColumn: (column: string, reason: string) => `${column}: ${reason}`,
  summary: (counts: {
    readonly added: number;
    readonly already_there: number;
    readonly refused: number;
    readonly new_clients: number;
  }) =>
    `${plural(counts.added, { one: "new domain", other: "new domains" })} with ${plural(counts.new_clients, clients)}, ${numberText(counts.already_there)} already there, ${plural(counts.refused, rows)} refused.`,
  nothingYet: "Nothing is changed yet. Existing domains and clients stay as they are.",
  nothingNew: "No row adds a domain. Correct the file, then choose it again.",
  ignored: (names: string) => `These columns are not read: ${names}.`,
  begin: (added: number) => `Import ${plural(added, domains)}`,
  again: "Check the file again",
  saveRefused: "Save the refused rows",
  refusedColumns: ["row", "domain", "column", "reason"],
  noRows: "No row has this result",
  more: (count: number, total: number) => `Show ${numberText(count)} more of ${plural(total, rows)}`,
  progress: "Progress of the import",
  running: (done: number, total: number) =>
    `Imports ${numberText(total)} rows: ${numberText(done)} are done.`,
  done: (done: number, skipped: number, failed: number) =>
    `${plural(done, domains)} imported, ${numberText(skipped)} already there, ${numberText(failed)} failed.`,
  notDone: (done: number) => `The import ended early: ${plural(done, domains)} imported.`,
  checksBegin: "Hermod checks each new domain within minutes.",
  importAgain: "Import the same file again: it adds only the missing domains.",
  job: "Job",
  another: "Import another file",
};
