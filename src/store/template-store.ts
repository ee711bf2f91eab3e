import { isDeepStrictEqual } from "node:util";
import type { Db } from "mongodb";
import type { TemplateSource } from "../message/template/template.ts";
import type { Audit } from "../shared/audit.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import type { TemplateDocument } from "./documents.ts";
import { afterPage, type ListPage } from "./list-page.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

export interface NewTemplate {
  readonly name: string;
  readonly definition: TemplateSource;
  readonly createdAt: Date;
}

export function createTemplateStore(db: Db, log: AuditLog) {
  const templates = db.collection<TemplateDocument>("templates");

  return {
    forAccount: (accountId: string) => ({
      findPublished: (name: string) => guarded(templates.findOne({ accountId, name, published: true })),

      /** By name. */
      listPublished: (page: ListPage) =>
        guarded(
          templates
            .find({ ...afterPage(accountId, page, "name"), published: true })
            .sort({ name: 1 })
            .limit(page.limit)
            .toArray(),
        ),

      /**
       * Publishes the next version of a template, unless the published one is the same: all at once, so that one version
       * is published at any time. Writers at the same time get consecutive versions.
       */
      publish(template: NewTemplate, audit: Audit): Promise<TemplateDocument> {
        const { name, definition } = template;
        const publishing = inTransaction(
          db.client,
          async (session) => {
            const published = await templates.findOne({ accountId, name, published: true }, { session });
            if (published && isDeepStrictEqual(published.definition, definition)) return published;
            // Not the published one: an interrupted writer may have left a newer one behind.
            const [newest] = await templates
              .find({ accountId, name }, { session })
              .sort({ version: -1 })
              .limit(1)
              .toArray();
            const version = (newest?.version ?? 0) + 1;
            const _id = `${accountId}.${name}.${version}`;
            const next = { ...template, _id, accountId, version, published: true };
            await templates.updateMany(
              { accountId, name, published: true },
              { $set: { published: false } },
              { session },
            );
            await templates.insertOne(next, { session });
            const target = { kind: "template", id: _id, name } as const;
            const before = published ?? undefined;
            await log.changed(session, accountId, audit, { target, before, after: next });
            return next;
          },
          { retryDuplicates: true },
        );
        return guarded(publishing);
      },
    }),
  };
}
