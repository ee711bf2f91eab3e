import type { IndexDescription } from "mongodb";

/** The indexes of what Deliverability Intel keeps, by collection. */
export const intelIndexes: Readonly<Record<string, readonly IndexDescription[]>> = {
  workspaces: [
    { key: { accountId: 1, _id: 1 } },
    { key: { accountId: 1 }, name: "first", unique: true, partialFilterExpression: { first: true } },
  ],
  intelClients: [
    { key: { accountId: 1, workspaceId: 1, nameKey: 1 }, unique: true },
    {
      key: { accountId: 1, workspaceId: 1, externalRef: 1 },
      name: "external_ref",
      unique: true,
      partialFilterExpression: { externalRef: { $exists: true } },
    },
    { key: { accountId: 1, workspaceId: 1, searchKeys: 1, nameKey: 1 } },
    { key: { accountId: 1, workspaceId: 1, tags: 1, nameKey: 1 } },
  ],
  // A workspace has 10,000 at most: what is asked for besides one of these is looked at in the order of the list.
  watchedDomains: [
    { key: { accountId: 1, workspaceId: 1, name: 1 }, unique: true },
    { key: { accountId: 1, workspaceId: 1, scoreRank: -1, _id: 1 } },
    { key: { accountId: 1, workspaceId: 1, checkedRank: 1, _id: 1 } },
    { key: { accountId: 1, workspaceId: 1, clientId: 1, name: 1 } },
    { key: { accountId: 1, workspaceId: 1, status: 1, name: 1 } },
    { key: { accountId: 1, workspaceId: 1, findingIds: 1, name: 1 } },
    { key: { accountId: 1, workspaceId: 1, searchKeys: 1, name: 1 } },
    { key: { subjects: 1 } },
    { key: { dueAt: 1 }, name: "due", partialFilterExpression: { dueAt: { $exists: true } } },
  ],
  watchedChecks: [{ key: { accountId: 1, _id: 1 } }],
  scorePoints: [
    { key: { accountId: 1, domainId: 1, at: -1 } },
    { key: { accountId: 1, workspaceId: 1, at: -1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  watchChanges: [
    { key: { accountId: 1, workspaceId: 1, _id: -1 } },
    { key: { accountId: 1, workspaceId: 1, domainId: 1, _id: -1 } },
    {
      key: { unalerted: 1, _id: 1 },
      name: "unalerted",
      partialFilterExpression: { unalerted: { $exists: true } },
    },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  blacklistStates: [
    { key: { listId: 1, dueAt: 1 } },
    { key: { untold: 1 }, name: "untold", partialFilterExpression: { untold: { $exists: true } } },
  ],
  blacklistWatches: [
    { key: { accountId: 1, workspaceId: 1, key: 1 } },
    { key: { accountId: 1, workspaceId: 1, state: 1, key: 1 } },
    { key: { accountId: 1, workspaceId: 1, subject: 1, key: 1 } },
    { key: { key: 1 } },
  ],
  blacklistTrusts: [{ key: { _id: 1 }, name: "_id_" }],
  intelReports: [
    { key: { accountId: 1, workspaceId: 1, _id: -1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  intelReportParts: [
    { key: { accountId: 1, reportId: 1, format: 1, n: 1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  reportSchedules: [
    { key: { accountId: 1, workspaceId: 1, _id: 1 } },
    { key: { accountId: 1, policy: 1 } },
    { key: { accountId: 1, "scope.id": 1 } },
    { key: { dueAt: 1 }, name: "due", partialFilterExpression: { dueAt: { $exists: true } } },
  ],
  intelAnswers: [{ key: { accountId: 1, _id: 1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  sendingDays: [
    { key: { accountId: 1, domain: 1, day: 1 } },
    { key: { accountId: 1, day: 1 } },
    { key: { accountId: 1, _id: 1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  dmarcRollups: [{ key: { accountId: 1, _id: 1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  tlsRollups: [{ key: { accountId: 1, _id: 1 } }, { key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  aggregateReports: [
    { key: { accountId: 1, _id: 1 } },
    { key: { accountId: 1, domainId: 1, at: -1 } },
    { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  reportInboxes: [{ key: { accountId: 1, _id: 1 } }],
};
