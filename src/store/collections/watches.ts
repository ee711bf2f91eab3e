import type {
  BlacklistStateDocument,
  BlacklistWatchDocument,
  ClientDocument,
  ListTrustDocument,
  ScorePointDocument,
  WatchChangeDocument,
  WatchedChecksDocument,
  WatchedDomainDocument,
  WorkspaceDocument,
} from "../intel-documents.ts";
import type { MailHostDocument } from "../mail-host-store.ts";
import type { RegistrationDocument } from "../registration-store.ts";
import type { ScoreDayDocument } from "../score-day-document.ts";
import { byName, EXPIRES, FEW, ID_ONLY, ifPresent, type Manifest } from "./manifest.ts";

export interface WatchDocuments {
  readonly workspaces: WorkspaceDocument;
  readonly intelClients: ClientDocument;
  readonly watchedDomains: WatchedDomainDocument;
  readonly watchedChecks: WatchedChecksDocument;
  readonly scorePoints: ScorePointDocument;
  readonly scoreDays: ScoreDayDocument;
  readonly watchChanges: WatchChangeDocument;
  readonly blacklistWatches: BlacklistWatchDocument;
  readonly blacklistStates: BlacklistStateDocument;
  readonly blacklistTrusts: ListTrustDocument;
  readonly registrations: RegistrationDocument;
  readonly mailHostProbes: MailHostDocument;
}

export const watchManifest = {
  workspaces: {
    indexes: [
      { key: { accountId: 1, _id: 1 } },
      { key: { accountId: 1 }, name: "first", unique: true, partialFilterExpression: { first: true } },
    ],
    deletion: "settings",
    export: { by: ["_id"] },
    audited: {
      workspace: {
        _id: "ignore",
        accountId: "ignore",
        name: "track",
        createdAt: "ignore",
        first: "ignore",
        tally: "ignore",
        activeClients: "ignore",
      },
    },
    named: { workspace: byName },
  },
  intelClients: {
    indexes: [
      { key: { accountId: 1, workspaceId: 1, nameKey: 1 }, unique: true },
      {
        key: { accountId: 1, workspaceId: 1, externalRef: 1 },
        name: "external_ref",
        unique: true,
        ...ifPresent("externalRef"),
      },
      { key: { accountId: 1, workspaceId: 1, searchKeys: 1, nameKey: 1 } },
      { key: { accountId: 1, workspaceId: 1, tags: 1, nameKey: 1 } },
    ],
    deletion: "settings",
    export: { by: ["workspaceId", "nameKey"] },
    audited: {
      client: {
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
      },
    },
    named: { client: byName },
  },
  // A workspace has at most 10,000 domains: a list reads them in order, and applies further filters to each.
  watchedDomains: {
    indexes: [
      { key: { accountId: 1, workspaceId: 1, name: 1 }, unique: true },
      { key: { accountId: 1, workspaceId: 1, scoreRank: -1, _id: 1 } },
      { key: { accountId: 1, workspaceId: 1, checkedRank: 1, _id: 1 } },
      { key: { accountId: 1, workspaceId: 1, clientId: 1, name: 1 } },
      { key: { accountId: 1, workspaceId: 1, status: 1, name: 1 } },
      { key: { accountId: 1, workspaceId: 1, findingIds: 1, name: 1 } },
      { key: { accountId: 1, workspaceId: 1, searchKeys: 1, name: 1 } },
      { key: { accountId: 1, workspaceId: 1, tags: 1, name: 1 } },
      { key: { accountId: 1, workspaceId: 1, "mutes.until": 1 } },
      { key: { accountId: 1, createdAt: 1 } },
      { key: { subjects: 1 } },
      { key: { dueAt: 1 }, name: "due", ...ifPresent("dueAt") },
    ],
    deletion: "settings",
    export: { by: ["workspaceId", "name"], limit: FEW },
    audited: {
      /** Results of checks have their own history. */
      watched_domain: {
        _id: "ignore",
        accountId: "ignore",
        workspaceId: "track",
        clientId: "track",
        name: "track",
        role: "track",
        dkimSelectors: "track",
        sendingIps: "track",
        paused: "track",
        tags: "track",
        notes: "track",
        mutes: { checkId: "track", until: "track", reason: "track", by: "ignore", at: "ignore" },
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
        repairs: "ignore",
        listings: "ignore",
        lastError: "ignore",
        lastErrorParts: "ignore",
        scoreRank: "ignore",
        checkedAt: "ignore",
        checkedRank: "ignore",
        dueAt: "ignore",
        reportedAt: "ignore",
        askedAt: "ignore",
        checking: "ignore",
        failures: "ignore",
        edits: "ignore",
        revision: "ignore",
      },
    },
    named: { watched_domain: byName },
  },
  watchedChecks: {
    indexes: [{ key: { accountId: 1, _id: 1 } }],
    deletion: "settings",
    export: { within: "watched_domain" },
    audited: {},
  },
  scorePoints: {
    indexes: [{ key: { accountId: 1, domainId: 1, at: -1 } }, EXPIRES],
    deletion: "settings",
    export: { within: "watched_domain" },
    audited: {},
  },
  scoreDays: {
    indexes: [{ key: { accountId: 1, _id: 1 } }, EXPIRES],
    deletion: "settings",
    export: { omitted: "sums of the scores of the exported domains" },
    audited: {},
  },
  watchChanges: {
    indexes: [
      { key: { accountId: 1, workspaceId: 1, _id: -1 } },
      { key: { accountId: 1, workspaceId: 1, domainId: 1, _id: -1 } },
      { key: { accountId: 1, workspaceId: 1, clientId: 1, _id: -1 } },
      { key: { unalerted: 1, _id: 1 }, name: "unalerted", ...ifPresent("unalerted") },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["workspaceId", "-_id"] },
    audited: {},
  },
  blacklistWatches: {
    indexes: [
      { key: { accountId: 1, workspaceId: 1, key: 1 } },
      { key: { accountId: 1, workspaceId: 1, state: 1, key: 1 } },
      { key: { accountId: 1, workspaceId: 1, subject: 1, key: 1 } },
      { key: { key: 1 } },
    ],
    deletion: "settings",
    export: { omitted: "blacklists that Hermod asks about the account's domains" },
    audited: {},
  },
  blacklistStates: {
    owner: "installation",
    indexes: [
      { key: { listId: 1, dueAt: 1 } },
      { key: { untold: 1 }, name: "untold", ...ifPresent("untold") },
    ],
    audited: {},
  },
  blacklistTrusts: { owner: "installation", indexes: [ID_ONLY], audited: {} },
  registrations: { owner: "installation", indexes: [EXPIRES], audited: {} },
  mailHostProbes: { owner: "installation", indexes: [{ key: { at: -1 } }, EXPIRES], audited: {} },
} as const satisfies Manifest<WatchDocuments>;
