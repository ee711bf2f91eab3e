import type { Db } from "mongodb";
import type { TemplateDocument } from "./documents.ts";
import { guarded } from "./store-fault.ts";

export function createTemplateStore(db: Db) {
  const templates = db.collection<TemplateDocument>("templates");

  return {
    findPublished: (accountId: string, name: string) =>
      guarded(templates.findOne({ accountId, name, published: true })),

    listPublished: (accountId: string) =>
      guarded(templates.find({ accountId, published: true }).sort({ name: 1 }).toArray()),

    /**
     * Stores the version and makes it the published one. Its number must be free: of two writers at once
     * one fails with store.unavailable and stores nothing.
     */
    async publish(template: TemplateDocument): Promise<void> {
      const { accountId, name } = template;
      await guarded(templates.insertOne({ ...template, published: false }));
      await guarded(
        templates.updateMany({ accountId, name, published: true }, { $set: { published: false } }),
      );
      await guarded(templates.updateOne({ _id: template._id }, { $set: { published: true } }));
    },
  };
}
