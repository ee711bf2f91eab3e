import { numberText } from "../number-text.ts";
import { plural } from "../plural.ts";

// Texts of watched domains.

const critical = { one: "critical", other: "critical" };
const warnings = { one: "warning", other: "warnings" };
const infos = { one: "note", other: "notes" };
const domains = { one: "domain", other: "domains" };
const sending = { one: "sending domain", other: "sending domains" };
const points = { one: "point", other: "points" };
const findings = { one: "finding", other: "findings" };

export const watches = {
  title: "Watched domains",
  detail: "Domains of your clients, checked regularly: what to repair first, and what each repair gains.",
  empty: "No watched domains yet",
  emptyDetail: "Add a domain of a client, or import many from a CSV file. Its first check begins at once.",
  emptyFiltered: "No watched domain matches these filters",
  add: "Add a domain",
  addDetail: "Hermod checks it at once, then regularly.",
  addAction: "Add",
  added: (name: string) => `${name} is watched.`,
  name: "Domain",
  nameDetail: "The domain of the sender addresses or the mail servers.",
  search: "Search watched domains",
  searchHint: "Beginning of a part of the name",
  status: "State",
  role: "Role",
  roles: {
    sending: "Sends mail",
    receiving: "Only receives mail",
    parked: "Neither sends nor receives",
  } as Readonly<Record<string, string>>,
  grade: "Grade",
  grades: { A: "A", B: "B", C: "C", D: "D", F: "F" } as Readonly<Record<string, string>>,
  sort: "Order",
  sorts: {
    name: "By name",
    "-score": "Highest score first",
    last_check_at: "Longest unchecked first",
  } as Readonly<Record<string, string>>,
  tag: "Tag",
  findingOf: "Finding",
  client: "Client",
  score: "Score",
  deltaOf: (change: number) =>
    change > 0
      ? `${plural(change, points)} more than seven days ago`
      : `${plural(-change, points)} less than seven days ago`,
  findings: "Findings",
  counts: (counts: { readonly critical: number; readonly warning: number; readonly info: number }) =>
    [
      counts.critical > 0 && plural(counts.critical, critical),
      counts.warning > 0 && plural(counts.warning, warnings),
      counts.info > 0 && plural(counts.info, infos),
    ]
      .filter(Boolean)
      .join(", "),
  noFindings: "none",
  first: "Repair first",
  checked: "Last check",
  notChecked: "not yet",

  more: "More",
  check: "Check now",
  checking: "The domain is being checked",
  progress: (done: number, total: number) =>
    `${numberText(done)} of ${numberText(total)} groups of checks are done.`,
  groups: {
    spf: "SPF",
    dkim: "DKIM",
    dmarc: "DMARC",
    mx: "Mail servers",
    ipv6: "IPv6",
    reverse: "Reverse DNS",
    ehlo: "EHLO",
    bimi: "BIMI",
    caa: "CAA",
    expiry: "Registration",
    dnssec: "DNSSEC",
    transport: "Encryption",
  } as Readonly<Record<string, string>>,
  checkLong: "The check continues. The page shows its result when it is complete.",
  checkDone: "The check is complete.",
  tabs: { repairs: "Repairs", checks: "All checks", history: "History", settings: "Settings" },

  is: (score: number, grade: string | null) =>
    grade === null
      ? `Score ${numberText(score)} of 100`
      : `Score ${numberText(score)} of 100, grade ${grade}`,
  provisional: "The score is provisional, because too little could be measured.",
  isPending: "The domain is not checked yet",
  isPendingDetail: "The first check begins within minutes. It takes about a minute.",
  isPaused: "The checks of the domain are paused",
  isPausedDetail: "Its score and its findings are those of the last check. It sends no notifications.",
  isHealthy: "Nothing is to be repaired.",
  notYet: "The first check lists the repairs.",
  toRepair: (count: number) => `${plural(count, findings)} to repair, largest gain first.`,
  firstGain: (gain: string) => `The first repair alone gains ${gain} points.`,
  capped: (limit: number) => `The score is at most ${numberText(limit)}, until this is repaired:`,
  incomplete: "The last check was incomplete:",
  checkedAt: "Checked",
  nextCheck: "next check",

  gains: (gain: string) => `+${gain} points`,
  gainsNothing: "no points",
  observed: "Found",
  expected: "Expected",
  repair: "Repair",
  recordName: (type: string) => `${type} record, name`,
  recordValue: "Value",
  zoneLine: "Line of a zone file",
  after: (gain: number, from: number | null) =>
    from === null
      ? `After the repair, the score rises by ${numberText(gain)} points.`
      : `After the repair, the score rises by ${numberText(gain)} points, from ${numberText(from)} to about ${numberText(Math.min(100, Math.round(from + gain)))}.`,
  afterNothing: "The repair removes the finding. The score does not change.",
  since: "Since",
  source: "Requirement",
  id: "Id",
  evidence: (count: number) => `Evidence: ${plural(count, { one: "answer", other: "answers" })}`,
  evidenceOf: (name: string, type: string) => `${type} of ${name}`,
  noAnswer: "no answer",
  validated: "validated with DNSSEC",
  answeredBy: (server: string) => `from ${server}`,
  unconfirmed: "The last check saw another result. A second check confirms it.",
  otherDomains: "Domains with this finding",

  mute: "Mute",
  muteOne: (title: string) => `Mute: ${title}`,
  muteTitle: "Mute this check?",
  muteDetail: (title: string) =>
    `“${title}” is no finding of this domain until then, and sends no notification. The score does not change.`,
  muteFor: "For",
  muteSpans: { "7": "7 days", "30": "30 days", "90": "90 days", "365": "1 year" },
  muteUntil: "Until a time",
  muteReason: "Reason",
  muteReasonDetail: "For members, up to 500 characters.",
  mutedUntil: (until: string) => `Muted until ${until}`,
  wasMuted: "The check is muted.",

  result: "Result",
  results: {
    pass: "Passed",
    warn: "Warning",
    fail: "Failed",
    error: "Not measurable",
    not_tested: "Nothing to measure",
  } as Readonly<Record<string, string>>,
  noEntry: (list: string) => `${list} has no entry`,
  checkName: "Check",
  points: "Points",
  pointsOf: (got: string, most: number) => `${got} of ${numberText(most)}`,
  noPoints: "does not count",
  categories: {
    auth: "Authentication",
    transport: "Encryption",
    infra: "Servers and DNS",
    reputation: "Reputation",
  } as Readonly<Record<string, string>>,
  area: "Area",
  findCheck: "Search checks",
  findCheckHint: "Part of the name or id",
  noChecks: "No check matches these filters",

  noChanges: "No changes in this time",

  selectors: "DKIM selectors",
  selectorsDetail: "Up to 20. Hermod also knows those of its own sending domains.",
  addresses: "Sending addresses",
  addressesDetail: "Public IP addresses that send mail of the domain, up to 20.",
  tags: "Tags",
  tagsDetail: "Up to 20, with up to 64 characters each.",
  notes: "Notes",
  notesDetail: "For members.",
  noValue: "none",
  hosted: "Sending domain",
  isHosted: "Hermod sends from it",
  reports: "Received reports",
  noReports: "No DMARC or TLS report arrived yet.",
  reportCounts: (dmarc: number, tls: number) =>
    `${plural(dmarc, { one: "DMARC report", other: "DMARC reports" })} and ${plural(tls, { one: "TLS report", other: "TLS reports" })} count.`,
  refusedReports: (count: number) =>
    `${plural(count, { one: "other one was", other: "others were" })} refused.`,
  upload: "Upload reports",
  uploadDetail:
    "XML or JSON as receivers send it, plain, as gzip or zip, or the mail with it. A report that Hermod already has is not counted twice.",
  uploadAction: "Upload",
  reportFile: "File with reports",
  reportOutcomes: { counted: "Counted", repeated: "Already there", refused: "Refused" } as Readonly<
    Record<string, string>
  >,
  ofReport: (count: number) => plural(count, { one: "message or session", other: "messages or sessions" }),
  reportAddress: "Report address",
  reportAddressDetail: "Publish it in the rua tag of the DMARC record.",
  reportedAt: "Last report",
  dmarcLink: "DMARC sources",
  reportsLink: "Reports about the domain",
  listings: "Blacklists",
  listingsOf: (count: number) => plural(count, { one: "open entry", other: "open entries" }),
  save: "Save",
  saved: "Saved. The domain is being checked.",
  saveDetail: "The domain is then checked at once.",
  leaveDetail: "The changes of this domain are lost.",
  mayNotChange: "Your role may not change watched domains.",
  pause: "Pause",
  paused: "The checks of the domain are paused.",
  resume: "Resume",
  resumed: "The domain is checked again.",
  remove: "Stop watching",
  removeTitle: (name: string) => `Stop watching ${name}?`,
  removeDetail:
    "Its checks, its history, its mutes and its DMARC and TLS reports are removed. Created reports stay. To keep the data, pause the domain instead.",
  removed: (name: string) => `${name} is no longer watched.`,

  offers: "Sending domains that are not watched",
  offered: (count: number, isMore: boolean) =>
    isMore
      ? `More than ${plural(count, sending)} are not watched.`
      : `${plural(count, sending)} ${count === 1 ? "is" : "are"} not watched.`,
  offersDetail: "Hermod checks them at once, then regularly. It knows their DKIM keys already.",
  watchThem: "Watch them",
  watchChosen: (count: number) => `Watch ${plural(count, domains)}`,
  allOffers: "All",

  selected: (count: number) => `${plural(count, domains)} selected`,
  select: "Select",
  selectOne: (name: string) => `Select ${name}`,
  bulk: {
    pause: "Pause",
    resume: "Resume",
    move: "Move to a client",
    tag: "Tags",
    note: "Notes",
    mute: "Mute a check",
    remove: "Stop watching",
  },
  meant: (count: number) => `${plural(count, domains)} ${count === 1 ? "is" : "are"} selected.`,
  frozen: "Domains that are added after this count are not included.",
  begin: (action: string, count: number) => `${action}: ${plural(count, domains)}`,
  moveDetail: "The domains keep their checks, history and mutes.",
  newClient: "New client",
  continue: "Continue",
  tagDetail: "The other tags of the domains stay.",
  tagMissing: "Enter at least one tag.",
  noteDetail: "Replaces the notes of each domain. Leave the field empty to remove them.",
  noNotes: "The notes are removed.",
  muteManyDetail: "A muted check is no finding and sends no notification. The score does not change.",
  removeManyDetail:
    "Their checks, history, mutes, and DMARC and TLS reports are removed. Created reports stay. A domain that a report schedule uses stays, too. To keep the data, pause the domains instead.",
};

export const checks = {
  title: "Checks",
  detail: "Every check of watched domains: its meaning, its points, and the domains that fail it.",
  failing: "Domains that fail",
  informs: "only informs",
  notUsed: "not used",
  needs: "Needs",
  domains: "Domains with this finding",
};
