import type { ReportSection } from "../../../../contracts/common/report-section-names.ts";
import { numberText } from "../number-text.ts";
import { plural } from "../plural.ts";

// Texts of the reports of Deliverability Intel, their links and labels.

const days = { one: "day", other: "days" };

export const intelReports = {
  title: "Reports",
  detail: "Scores, findings and repairs of a client, a domain or a workspace, to open, save and share.",
  inProgress: "Reports in progress",
  create: "Create a report",
  createDetail: "A large report takes some minutes. Its page shows the progress.",
  createAction: "Create",
  empty: "No reports yet",
  emptyDetail: "Create a report about a client, and share it by link or as a PDF.",
  emptyFiltered: "No report matches these filters",
  subject: "Subject",
  kind: "About",
  about: "About",
  scopes: { workspace: "Workspace", client: "Client", domain: "Domain" } as Readonly<Record<string, string>>,
  period: "Period",
  periods: { "7": "Last 7 days", "30": "Last 30 days", "90": "Last 90 days", month: "Last calendar month" },
  created: "Created",
  keptUntil: "Kept until",
  sections: "Sections",
  sectionsDetail: "Empty: all sections.",
  sectionNames: {
    history: "Score over time",
    changes: "Changes",
    domains: "Domains",
    blacklists: "Blacklists",
    provider_rules: "Rules of mailbox providers",
    sending: "Sent mail",
    dmarc: "DMARC reports",
    findings: "Findings",
    fixes: "Repairs with records",
    not_measured: "Not measured",
    method: "Method",
  } satisfies Readonly<Record<ReportSection, string>>,
  untitled: "Report",
  of: (kind: string, period: string) => `${kind}, ${period}.`,
  frame: "The report",
  frameDetail: "This is what a reader of a link sees.",
  queued: "The report waits for its turn.",
  running: (done: number | undefined, total: number | undefined) =>
    done === undefined || total === undefined
      ? "The report is being created."
      : `The report is being created: step ${numberText(Math.min(done + 1, total))} of ${numberText(total)}.`,
  waitDetail: "You can leave this page. The report continues, and appears in the list when it is ready.",
  progress: "Progress of the report",
  failed: "The report could not be created.",
  cancelled: "The report was canceled.",
  savePdf: "Save as PDF",
  saveHtml: "Save as HTML",
  saveJson: "Save as JSON",
  more: "More",
  remove: "Remove the report",
  removeTitle: (name: string) => `Remove the report about ${name}?`,
  removeDetail: "The report is removed with all its links at once. Messages that contain it stay.",
  share: "Share by link",
  shareDetail:
    "The link opens this report without a session, and nothing else of the account. You can revoke it at any time.",
  validFor: "Valid for",
  days: (count: number) => plural(count, days),
  note: "Note",
  noteDetail: "For members, to distinguish the links. Readers of the report do not see it.",
  noNote: "No note",
  createLink: "Create the link",
  link: "Link to the report",
  linkOnce: "Copy the link now. Hermod cannot show it again: a lost link is replaced by a new one.",
  links: "Links",
  noLinks: "No links yet. A link opens the report for someone without an account.",
  state: "State",
  linkStates: { active: "Active", expired: "Expired", revoked: "Revoked" } as Readonly<
    Record<string, string>
  >,
  ends: "Ends",
  opens: "Opened",
  downloads: "PDF saved",
  lastOpened: "Last opened",
  revoke: "Revoke",
  revokeOne: (note: string) => `Revoke: ${note}`,
  revokeTitle: "Revoke this link?",
  revokeDetail: (note: string) =>
    `${note === "" ? "The link" : `The link “${note}”`} opens nothing from now on. This cannot be undone.`,
};
