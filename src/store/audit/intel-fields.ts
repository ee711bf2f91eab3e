import type {
  ClientDocument,
  IntelReportDocument,
  WatchedDomainDocument,
  WorkspaceDocument,
} from "../intel-documents.ts";
import type { Classes } from "./classes.ts";

export const workspace: Classes<WorkspaceDocument> = {
  _id: "ignore",
  accountId: "ignore",
  name: "track",
  createdAt: "ignore",
  first: "ignore",
  tally: "ignore",
  activeClients: "ignore",
};

export const client: Classes<ClientDocument> = {
  _id: "ignore",
  accountId: "ignore",
  workspaceId: "track",
  name: "track",
  externalRef: "track",
  contactEmails: "track",
  tags: "track",
  notes: "track",
  locale: "track",
  timezone: "track",
  nameKey: "ignore",
  searchKeys: "ignore",
  status: "track",
  createdAt: "ignore",
  updatedAt: "ignore",
  tally: "ignore",
};

/** What was found of it is Hermod's to say, and has a history of its own. */
export const watchedDomain: Classes<WatchedDomainDocument> = {
  _id: "ignore",
  accountId: "ignore",
  workspaceId: "track",
  clientId: "track",
  name: "track",
  role: "track",
  dkimSelectors: "track",
  sendingIps: "track",
  paused: "track",
  mutes: { checkId: "track", until: "track" },
  searchKeys: "ignore",
  subjects: "ignore",
  createdAt: "ignore",
  updatedAt: "ignore",
  status: "ignore",
  score: "ignore",
  grade: "ignore",
  coverage: "ignore",
  scoreModel: "ignore",
  findings: "ignore",
  findingIds: "ignore",
  topFindings: "ignore",
  listings: "ignore",
  lastError: "ignore",
  scoreRank: "ignore",
  checkedAt: "ignore",
  checkedRank: "ignore",
  dueAt: "ignore",
  reportedAt: "ignore",
  askedAt: "ignore",
  failures: "ignore",
  revision: "ignore",
};

export const report: Classes<IntelReportDocument> = {
  _id: "ignore",
  accountId: "ignore",
  workspaceId: "track",
  scope: { type: "track", id: "track", name: "ignore" },
  period: { from: "track", to: "track" },
  generatedAt: "ignore",
  expireAt: "ignore",
};
