import type { DomainKeyDocument, SenderDocument } from "../documents.ts";
import type { DomainDocument, DomainEventDocument } from "../domain-document.ts";
import { sealedDomainKeys } from "../sealing/sealed-domain-key.ts";
import { byName, EXPIRES, FEW, ifPresent, type Manifest } from "./manifest.ts";

export interface SenderDocuments {
  readonly senders: SenderDocument;
  readonly domains: DomainDocument;
  readonly domainEvents: DomainEventDocument;
  readonly domainKeys: DomainKeyDocument;
}

export const senderManifest = {
  senders: {
    indexes: [
      { key: { accountId: 1, value: 1 }, unique: true },
      { key: { linkHash: 1 }, name: "link", unique: true, ...ifPresent("linkHash") },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["value"], without: ["linkHash"] },
    audited: {
      sender: {
        _id: "ignore",
        accountId: "ignore",
        kind: "track",
        value: "track",
        verifiedAt: "track",
        verifiedBy: "track",
        createdAt: "ignore",
        linkHash: "secret",
        linkExpiresAt: "ignore",
        expireAt: "ignore",
      },
    },
    named: { sender: ({ value }) => ({ name: value }) },
  },
  domains: {
    indexes: [
      { key: { accountId: 1, name: 1 } },
      { key: { nextCheckAt: 1 } },
      { key: { accountId: 1, verifiedAt: 1 }, name: "verified", ...ifPresent("verifiedAt") },
    ],
    deletion: "settings",
    export: { by: ["name"], limit: FEW },
    audited: {
      /** Results of checks are recorded as separate events. */
      domain: {
        _id: "ignore",
        accountId: "ignore",
        name: "track",
        token: "track",
        createdAt: "ignore",
        verifiedAt: "track",
        status: "track",
        statusSince: "ignore",
        records: "ignore",
        nameServers: "ignore",
        checkedAt: "ignore",
        askedAt: "ignore",
        failures: "ignore",
        nextCheckAt: "ignore",
        link: { id: "secret", expiresAt: "track" },
      },
    },
    named: { domain: byName },
  },
  domainEvents: {
    indexes: [{ key: { accountId: 1, domain: 1, _id: -1 } }, EXPIRES],
    deletion: "settings",
    export: { by: ["domain", "-_id"] },
    audited: {},
  },
  domainKeys: {
    indexes: [{ key: { accountId: 1, domain: 1, selector: 1 }, unique: true }],
    deletion: "settings",
    export: { within: "domain" },
    audited: {
      domain_key: {
        _id: "ignore",
        accountId: "ignore",
        domain: "track",
        selector: "track",
        algorithm: "track",
        privateKey: "secret",
        signsFrom: "track",
        createdAt: "ignore",
      },
    },
    named: { domain_key: ({ selector, domain }) => ({ name: `${selector}._domainkey.${domain}` }) },
    sealed: sealedDomainKeys,
  },
} as const satisfies Manifest<SenderDocuments>;
