import { newId } from "../../dist/src/shared/ids.js";
import { newDomain } from "../../dist/src/store/domain-store.js";
import { alertFillers } from "./alert-fillers.js";
import { ago, each, later, nameOf, raw } from "./filler.js";
import { intelFillers } from "./intel-fillers.js";
import { onCallFillers } from "./on-call-fillers.js";

const DOMAINS_MAX = 1_000;
const POLICIES_MAX = 1_000;
const INVITATIONS_MAX = 500;

/** @typedef {import("./fill-lists.js").Filler} Filler */
/** @typedef {import("./fill-lists.js").FillContext} FillContext */

/** @param {FillContext} context @param {number} number @param {"account" | "smtp"} kind */
async function addKey(context, number, kind) {
  const { account, run, filled, audit } = context;
  const id = newId("key", ago(context, number));
  const unused = number % 4 === 0;
  await account.keys.insert(
    /** @type {any} */ ({
      _id: id,
      name: nameOf(number),
      kind,
      prefix: `hm_${kind}_${run}${number}`,
      hash: `${kind} ${run} ${number}`,
      scopeMode: "full",
      scopes: [],
      senders: [],
      allowedAddresses: [],
      createdAt: ago(context, number),
      ...(!unused && { lastUsedAt: ago(context, number), lastUsedFrom: "192.0.2.7", lastUsedBy: "http" }),
      ...(number % 10 === 1 && { revokedAt: ago(context, number) }),
      ...(number % 10 === 2 && { expiresAt: ago(context, number) }),
    }),
    audit("key.create"),
  );
  filled.keyId ??= id;
}

/** Lists beside those of mail. @param {number} entries @returns {Filler[]} */
export function listFillers(entries) {
  const most = (/** @type {number} */ limit) => Math.min(entries, limit);
  return [
    each("keys", entries, (context, number) => addKey(context, number, "account")),
    each("SMTP credentials", entries, (context, number) => addKey(context, number, "smtp")),
    {
      name: "days of a key",
      count: 90,
      step: 90,
      fill: async (context, _, size) => {
        const { filled, store } = context;
        const uses = Array.from({ length: size }, (_, index) => {
          const day = ago(context, index * 24)
            .toISOString()
            .slice(0, 10);
          const _id = `${filled.keyId}.${day}.${context.run}${index}`;
          const of = { accountId: filled.accountId, keyId: filled.keyId, day };
          return { _id, ...of, http: 9, smtp: 1, grpc: 0, expireAt: later(context) };
        });
        await store.acrossAccounts.keys.countUses(/** @type {any} */ (uses));
      },
    },
    each("members", entries, ({ account, run, audit, now }, number) =>
      account.members.add(
        {
          _id: newId("usr", now),
          email: `m${number}.${run}@example.com`,
          passwordHash: "none",
          createdAt: now,
        },
        {
          role: /** @type {const} */ (["viewer", "support", "developer"])[number % 3] ?? "viewer",
          createdAt: now,
        },
        audit("member.add"),
      ),
    ),
    each("invitations", most(INVITATIONS_MAX), (context, number) => {
      const { account, run, audit, now, filled } = context;
      const invitedBy = { userId: filled.userId, email: "owner@example.com" };
      const email = `i${number}.${run}@example.com`;
      const invitation = { _id: newId("inv", now), email, role: "viewer", hash: email, invitedBy };
      const times = { createdAt: now, expireAt: later(context) };
      return account.invitations.insert(
        /** @type {any} */ ({ ...invitation, ...times }),
        now,
        audit("invitation.create"),
      );
    }),
    each("sessions", most(1_000), ({ store, filled, audit, ...context }, number) => {
      const at = ago({ store, filled, audit, ...context }, number);
      const times = { createdAt: at, seenAt: at, authenticatedAt: at };
      const ends = {
        endsAt: later({ store, filled, audit, ...context }),
        expireAt: later({ store, filled, audit, ...context }),
      };
      const from = { clientAddress: "192.0.2.1", clientAgent: "Mozilla/5.0 (X11; Linux x86_64)" };
      const of = { userId: filled.userId, email: "owner@example.com", accountId: filled.accountId };
      const session = {
        _id: newId("ses", at),
        hash: `${context.run}${number}`,
        ...of,
        ...times,
        ...ends,
        ...from,
      };
      return store.sessions.insert(/** @type {any} */ (session), audit("session.create"));
    }),
    each("senders", most(DOMAINS_MAX) - 1, ({ account, run, audit, now }, number) =>
      account.senders.add(
        /** @type {any} */ ({
          _id: newId("snd", now),
          kind: "address",
          value: `${nameOf(number).replace(" ", ".")}@${run}.example`,
          ...(number % 3 === 0 ? { createdAt: now } : { verifiedAt: now, verifiedBy: "operator" }),
        }),
        audit("sender.add"),
      ),
    ),
    each("domains", most(DOMAINS_MAX), async (context, number) => {
      const name = `${nameOf(number).replace(" ", "-")}.${context.run}.example`;
      await context.account.domains.add(
        newDomain(name, context.now, later(context)),
        context.audit("domain.add"),
      );
      context.filled.domain ??= name;
    }),
    raw("events of a domain", most(1_000), "domainEvents", (context, number) => ({
      _id: newId("dev", ago(context, number)),
      accountId: context.filled.accountId,
      domain: context.filled.domain,
      kind: "domain.status_changed",
      from: "verified",
      to: "degraded",
      reasons: [],
      at: ago(context, number),
      expireAt: later(context),
    })),
    each("policies", most(POLICIES_MAX) - 2, ({ account, filled, run, audit, now }, number) => {
      const name = `policy-${number}-${run}`;
      filled.policy ??= name;
      const policy = {
        _id: newId("pol", now),
        accountId: filled.accountId,
        name,
        default: false,
        updatedAt: now,
      };
      const transports = [{ kind: "direct", tls: "opportunistic", maxConnections: 20 }];
      return account.policies.replace(
        name,
        () => /** @type {any} */ ({ ...policy, transports }),
        audit("policy.put"),
      );
    }),
    each("templates", entries, ({ account, filled, run, audit, now }, number) => {
      const name = `template-${number}-${run}`;
      filled.template ??= name;
      const definition = {
        subject: `Hello ${number}`,
        text: "Welcome.",
        html: "<p>Welcome.</p>".repeat(100),
      };
      return account.templates.publish(
        /** @type {any} */ ({ name, definition, createdAt: now }),
        audit("template.publish"),
      );
    }),
    raw("versions of a template", entries, "templates", ({ filled, now, audit }, number) => ({
      _id: `${filled.accountId}.${filled.template}.${number + 2}`,
      accountId: filled.accountId,
      name: filled.template,
      version: number + 2,
      published: false,
      createdAt: now,
      definition: { subject: `Hello ${number}`, text: "Welcome.", html: "<p>Welcome.</p>".repeat(100) },
      createdBy: audit("").actor,
    })),
    raw("jobs", entries, "jobs", (context, number) => {
      const state = ["succeeded", "failed", "cancelled"][number % 3];
      const [createdAt, _id] = [ago(context, number), newId("job", ago(context, number))];
      context.filled.jobId ??= _id;
      return {
        _id,
        accountId: context.filled.accountId,
        kind: "messages.cancel",
        params: {},
        about: {},
        permission: "messages.write",
        startedBy: context.audit("").actor,
        state,
        total: 100,
        done: 99,
        skipped: 1,
        failed: 0,
        steps: 1,
        createdAt,
        startedAt: createdAt,
        finishedAt: createdAt,
        expireAt: later(context),
      };
    }),
    raw("results of a job", most(1_000), "jobResults", (context, number) => ({
      _id: `${context.filled.jobId}.${String(number).padStart(8, "0")}`,
      accountId: context.filled.accountId,
      jobId: context.filled.jobId,
      outcomes: ["done"],
      expireAt: later(context),
      entries: Array.from({ length: 5 }, (_, index) => ({ id: `msg_${number}_${index}`, outcome: "done" })),
    })),
    raw("erasures", entries, "erasures", (context, number) => ({
      _id: newId("era", ago(context, number)),
      accountId: context.filled.accountId,
      salt: "salt",
      addressHash: `hash ${number}`,
      keepSuppressed: false,
      requestedAt: ago(context, number),
      requestedBy: context.audit("").actor,
      removed: { messages: 3 },
      waiting: 0,
      finishedAt: context.now,
      look: { at: context.now, messages: 0, captured: 0, auditEntries: 0 },
      left: { mentions: 0, suppressions: 0 },
      expireAt: later(context),
    })),
    each("entries of the audit log", entries, ({ account, filled, audit }, number) =>
      account.audit.add(audit("message.read"), {
        target: { kind: "message", id: `${filled.userId}.${number % 50}`, name: "" },
        outcome: "read",
      }),
    ),
    ...alertFillers(entries, most),
    ...onCallFillers(entries, most),
    ...intelFillers(entries, most),
  ];
}
