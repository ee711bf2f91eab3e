import type { FaultParams } from "../../../contracts/common/fault-texts/fault-params.ts";
import type { FieldFaultCodeName } from "../../../contracts/common/field-fault-codes.ts";
import type { WatchSettings as AskedSettings } from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import type { ClientSettings as AskedClient } from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { Fault, type FieldProblem } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { ClientSettings, WatchSettings } from "../../store/intel-documents.ts";
import { type CsvRow, type CsvTable, readCsvTable } from "../read-csv-table.ts";
import { readClient } from "./read-client.ts";
import { readWatch, readWatchedName } from "./read-watch.ts";

/** Fields that an import of domains reads. */
export type ImportField =
  | "domain"
  | "client"
  | "client_ref"
  | "client_emails"
  | "role"
  | "dkim_selectors"
  | "sending_ips"
  | "paused"
  | "tags"
  | "notes";

const MAX_ROWS = 5_000;
/** Maximum length of an invalid domain in the answer. */
const MAX_SHOWN_LENGTH = 320;

/** Headings in lower case and with underscores. */
const headings: Readonly<Record<ImportField, readonly string[]>> = {
  domain: ["domain", "domain_name", "name", "hostname"],
  client: ["client", "client_name", "customer", "customer_name", "company"],
  client_ref: ["client_ref", "client_reference", "external_ref", "reference", "customer_id"],
  client_emails: ["client_emails", "contact_emails", "contacts", "contact", "email"],
  role: ["role", "type"],
  dkim_selectors: ["dkim_selectors", "selectors", "selector", "dkim"],
  sending_ips: ["sending_ips", "ips", "ip", "addresses"],
  paused: ["paused"],
  tags: ["tags", "tag", "labels"],
  notes: ["notes", "note", "comment"],
};

/** Columns that the fields of a domain and of a client are read from. */
const columnsOf: Readonly<Record<string, ImportField>> = {
  dkim_selectors: "dkim_selectors",
  sending_ips: "sending_ips",
  role: "role",
  tags: "tags",
  notes: "notes",
};
const clientColumnsOf: Readonly<Record<string, ImportField>> = {
  external_ref: "client_ref",
  contact_emails: "client_emails",
};

/** @throws Fault request.validation_failed at `/csv` for an unreadable file */
export function readImport(csv: string): Promise<CsvTable<ImportField>> {
  const needed = {
    field: "domain",
    missing: say("csv_no_domains", { allowed: headings.domain }),
  } as const;
  return readCsvTable(csv, { headings, maxRows: MAX_ROWS, needed });
}

/** A row that can be imported: plain values, as a job stores them. */
export interface ImportRow {
  readonly row: number;
  readonly name: string;
  readonly nameUnicode: string;
  readonly settings: WatchSettings;
  /** Client of the domain, created if there is none with the reference or name. */
  readonly client: ClientSettings;
}

export interface RefusedRow {
  readonly row: number;
  readonly domain: string;
  readonly code: string;
  /** Column with the error; empty: the whole row. */
  readonly field: ImportField | "";
  /** A sentence. */
  readonly message: string;
  /** Values of the sentence. */
  readonly params: FaultParams;
}

/** Reads one row of an import. A row is refused with its first error. */
export function readImportRow(
  { row, cells, isTooLong }: CsvRow<ImportField>,
  allowsPrivate: boolean,
): ImportRow | RefusedRow {
  const { domain = "", client = "", client_ref: externalRef = "" } = cells;
  const shown = domain.slice(0, MAX_SHOWN_LENGTH).toWellFormed();
  const refused = (
    field: ImportField | "",
    {
      code,
      message,
      params = {},
    }: Pick<RefusedRow, "code" | "message"> & Partial<Pick<RefusedRow, "params">>,
  ): RefusedRow => ({ row, domain: shown, code, field, message, params });
  if (isTooLong) return refused("", problemOf("field.unknown", say("row_more_cells_than_first_row")));
  const paused = readFlag(cells.paused);
  if (paused === undefined)
    return refused("paused", problemOf("field.invalid", say("one_of", { allowed: [...FLAGS.keys()] })));
  const named = attempt(() => readWatchedName(domain, allowsPrivate));
  if ("error" in named) return refused("domain", named.error);
  const { role = "", dkim_selectors: selectors, sending_ips: addresses } = cells;
  const asked = {
    role: role.toLowerCase(),
    dkimSelectors: listOf(selectors),
    sendingIps: listOf(addresses),
    paused,
    ...(cells.tags && { tags: { values: tagsOf(cells.tags) } }),
    ...(cells.notes && { notes: cells.notes }),
  } as AskedSettings;
  const settings = attempt(() => readWatch(asked, allowsPrivate));
  if ("error" in settings) return refused(columnIn(columnsOf, settings.error), settings.error);
  const owner = attempt(() =>
    // Without a name, the reference finds a client, or becomes the name of a new one.
    readClient({
      name: client || externalRef,
      externalRef,
      contactEmails: listOf(cells.client_emails),
    } as AskedClient),
  );
  if ("error" in owner) return refused(columnIn(clientColumnsOf, owner.error, "client"), owner.error);
  return { row, ...named.value, settings: settings.value, client: owner.value };
}

const problemOf = (code: FieldFaultCodeName, { text: message, params }: FaultText) => ({
  code,
  message,
  params,
});

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["no", false],
  ["true", true],
  ["false", false],
  ["1", true],
  ["0", false],
]);

/** undefined: the text is neither yes nor no. */
function readFlag(text = ""): boolean | undefined {
  return text === "" ? false : FLAGS.get(text.toLowerCase());
}

/** Values of a cell, separated by spaces, commas, semicolons or bars. */
function listOf(cell = ""): string[] {
  return cell.split(/[\s,;|]+/).filter((value) => value !== "");
}

/** Tags may contain spaces. */
function tagsOf(cell: string): string[] {
  const tags = cell.split(/[,;|]/).map((tag) => tag.trim());
  return tags.filter((tag) => tag !== "");
}

/** The value, or the first error of a field. */
function attempt<T>(read: () => T): { readonly value: T } | { readonly error: FieldProblem } {
  try {
    return { value: read() };
  } catch (thrown) {
    const [first] = thrown instanceof Fault ? thrown.errors : [];
    if (!first) throw thrown;
    return { error: first };
  }
}

function columnIn(
  columns: Readonly<Record<string, ImportField>>,
  { pointer }: FieldProblem,
  otherwise: ImportField | "" = "",
): ImportField | "" {
  return columns[pointer.split("/")[1] ?? ""] ?? otherwise;
}
