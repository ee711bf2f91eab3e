import { plural } from "../plural.ts";

// Texts of clients, of the repairs that gain most, and of mailing a report.

const domains = { one: "domain", other: "domains" };
const repairs_ = { one: "repair", other: "repairs" };
const critical = { one: "domain is critical", other: "domains are critical" };
const warning = { one: "domain has a warning", other: "domains have a warning" };
const messages = { one: "recipient", other: "recipients" };

export const clients = {
  title: "Clients",
  detail: "Owners of watched domains, each with the mean score of its domains and its worst findings.",
  all: "All clients",
  empty: "No clients yet",
  emptyDetail: "Create a client, or import many with their domains from a CSV file.",
  emptyFiltered: "No client matches these filters",
  search: "Search clients",
  searchHint: "Beginning of a word of the name",
  name: "Name",
  worst: "Worst finding",
  domains: "Domains",
  status: "State",
  statuses: { active: "Active", archived: "Archived" } as Readonly<Record<string, string>>,
  tag: "Tag",
  archived: "Archived",
  critical: (count: number) => plural(count, critical),
  warning: (count: number) => plural(count, warning),
  healthy: "Healthy",
  repairFirst: "Repair first",
  scoreDetail: "mean of its domains, 0 to 100",
  ofClient: "of this client",
  domainsOf: "domains",
  more: "More",
  create: "Create a client",
  createDetail: "Names and references are unique in the workspace. Add its domains afterwards.",
  createAction: "Create",
  created: (name: string) => `The client ${name} is created.`,
  change: "Change the client",
  save: "Save",
  saved: (name: string) => `The client ${name} is saved.`,
  fields: {
    name: "Name",
    contact_emails: "Contacts",
    external_ref: "Your reference",
    tags: "Tags",
    notes: "Notes",
    locale: "Language of reports",
    timezone: "Time zone of reports",
  },
  contactsDetail: "Recipients of reports: up to 20 addresses.",
  refDetail: "Optional, as the number of the client in your CRM.",
  localeDetail: "en, or en and a region, as en-GB.",
  zoneDetail: "Its days are the days of the report.",
  notesDetail: "For members. Reports do not contain them.",
  noContacts: "none",
  reportsIn: "Reports in",
  since: "Created",
  id: "Id",
  pages: "Pages with its data",
  label: "Label of reports",
  archive: "Archive",
  archiveTitle: (name: string) => `Archive ${name}?`,
  archiveDetail:
    "An archived client cannot get more domains. Its domains are still watched. You can restore it at any time.",
  archiveAnyway: "Archive it anyway",
  archivedNow: (name: string) => `${name} is archived.`,
  archivedDetail: "This client is archived: it cannot get more domains. Its domains are still watched.",
  restore: "Restore",
  restoreTitle: (name: string) => `Restore ${name}?`,
  restoreDetail: "The client is active again and can get domains.",
  restored: (name: string) => `${name} is active again.`,
  remove: "Remove the client",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeDetail: (count: number) =>
    count === 0
      ? "The client is removed with its score history. Its reports stay until they expire."
      : `The client is archived at once. A job then removes its ${plural(count, domains)} with their findings, histories, changes and DMARC data, and then the client. Its reports stay until they expire. This cannot be undone.`,
  removed: (name: string) => `${name} is being removed.`,
};

export const repairs = {
  title: "Repair first",
  detail:
    "Sorted by the points that a repair adds to the scores of all its domains. Open one for its domains.",
  finding: "Repair",
  severity: "Severity",
  domains: "Domains",
  gain: "Gain",
  gainOf: (points: string) => `+${points} points`,
  noGain: "no points by itself",
  showAll: (count: number) => `Show all ${plural(count, repairs_)}`,
  repaired: "No domain needs this repair any more.",
  nothing: "Nothing to repair",
  nothingDetail: (count: number) => `The checks of ${plural(count, domains)} have no findings.`,
  noDomains: "No watched domains yet",
  noDomainsDetail: "Import domains from a CSV file. The repairs appear after their first check.",
  notMeasured: "Nothing is measured yet",
  notMeasuredDetail: "The repairs appear after the first check of a domain. A paused domain is not checked.",
  history: "Score over time",
  step: "Range",
  steps: { day: "30 days", week: "26 weeks", month: "12 months" },
  openChanges: (step: string) => `Changes: ${step}`,
  noHistory: "No score in this range yet.",
  modelChanged: (day: string) =>
    `The score model changed on ${day}. Scores before and after this day cannot be compared.`,
};

export const mailReport = {
  title: "Mail the report",
  detail:
    "Hermod creates a report about this client and mails it as a PDF, in a separate message to each recipient.",
  action: "Mail it now",
  periods: { weekly: "Last week", monthly: "Last month" },
  recipientsDetail: "Up to 20 addresses. The contacts of the client are entered.",
  repeats: {
    weekly: "Mail it every Monday from now on",
    monthly: "Mail it on the first day of every month from now on",
  },
  repeatDetail: "Otherwise, its schedule is stored paused. Report schedules lists it.",
  nameOf: (client: string) => `Report: ${client}`,
  waiting: "The report is being created and mailed. If you close this window, it continues.",
  sent: (count: number) => `The report is mailed to ${plural(count, messages)}.`,
  failed: "The report could not be mailed.",
  continues: "The report is not mailed yet. Hermod continues, and the schedule shows the result.",
};
