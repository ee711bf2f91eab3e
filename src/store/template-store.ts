import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Db } from "mongodb";
import type { TemplateSource } from "../message/template/template.ts";
import type { Audit } from "../shared/audit.ts";
import type { ResourceUse } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision, contentRevision } from "./content-revision.ts";
import type { TemplateDocument, TemplateHeadDocument, TemplateSummary } from "./documents.ts";
import { type ListPage, readPage } from "./list-page.ts";
import type { CheckUse, ResourceUsers } from "./resource-users.ts";
import { guarded } from "./store-fault.ts";

export interface NewTemplate {
  readonly name: string;
  readonly definition: TemplateSource;
  readonly createdAt: Date;
}

/** Without its text, which may be large. */
export type TemplateVersionFacts = Omit<TemplateDocument, "definition">;
export type TemplateHeadFacts = Omit<TemplateHeadDocument, "draft" | "testData" | "dataSets">;

/** Both undefined: there is no such template. */
export interface TemplateState<Version = TemplateDocument, Head = TemplateHeadDocument> {
  readonly published: Version | undefined;
  readonly head: Head | undefined;
}

/** New state of a template. */
export interface TemplateEdit extends Pick<TemplateHeadDocument, "draft" | "draftSavedAt" | "draftSavedBy"> {
  readonly testData?: string | undefined;
  readonly dataSets?: TemplateHeadDocument["dataSets"] | undefined;
  /** Published as the next version, unless the published version is equal. */
  readonly publish?: Pick<TemplateDocument, "definition" | "restores">;
}

/** The embedded engine has no projection that includes a path. */
const WITHOUT_BODIES = {
  definition: { "definition.html": 0, "definition.text": 0, "definition.variables": 0 },
  draft: { "draft.html": 0, "draft.text": 0, "draft.variables": 0, testData: 0, dataSets: 0 },
} as const;

export function createTemplateStore(db: Db, writes: AuditedWrites, users: ResourceUsers) {
  const templates = db.collection<TemplateDocument>("templates");
  const heads = db.collection<TemplateHeadDocument>("templateHeads");
  const versions = writes.entriesOf("template");
  const drafts = writes.entriesOf("template_draft");

  return {
    forAccount: (accountId: string) => {
      const published = (name: string) => ({ accountId, name, published: true });

      async function read(name: string, session?: ClientSession): Promise<TemplateState> {
        const options = session ? { session } : {};
        const head = await heads.findOne({ accountId, name }, options);
        const version = await templates.findOne(published(name), options);
        return { published: version ?? undefined, head: head ?? undefined };
      }

      /** The highest number that was ever assigned. An interrupted writer of 0.1 may have left an unpublished version. */
      async function lastVersion(name: string, { head }: TemplateState, session: ClientSession) {
        const newest = templates.find({ accountId, name }, { session }).sort({ version: -1 }).limit(1);
        const [found] = await newest.toArray();
        return Math.max(found?.version ?? 0, head?.deletedVersion ?? 0);
      }

      async function writeHead(
        name: string,
        { head }: TemplateState,
        content: Pick<TemplateHeadDocument, "present" | "deletedVersion"> & TemplateEdit,
        session: ClientSession,
      ): Promise<TemplateHeadDocument> {
        const _id = `${accountId}.${name}`;
        const { publish: _, ...kept } = content;
        const changes = (head?.changes ?? 0) + 1;
        const summary = kept.draft && summaryOf(kept.draft);
        const named = { _id, accountId, name, changes };
        const next: TemplateHeadDocument = { ...withoutUndefined({ ...kept, summary }), ...named };
        if (head) await heads.replaceOne({ _id, accountId }, next, { session });
        else await heads.insertOne(next, { session });
        return next;
      }

      async function writeVersion(
        name: string,
        state: TemplateState,
        { createdAt, ...content }: Pick<TemplateDocument, "definition" | "restores" | "createdAt">,
        { session, audit }: { readonly session: ClientSession; readonly audit: Audit },
      ): Promise<TemplateDocument> {
        const version = (await lastVersion(name, state, session)) + 1;
        const _id = `${accountId}.${name}.${version}`;
        const createdBy = audit.actor;
        const summary = summaryOf(content.definition);
        const named = { _id, accountId, name, version, published: true, summary };
        const next: TemplateDocument = { ...withoutUndefined(content), ...named, createdAt, createdBy };
        await templates.updateMany(published(name), { $set: { published: false } }, { session });
        await templates.insertOne(next, { session });
        await versions.note(session, audit, state.published, next);
        return next;
      }

      return {
        findPublished: (name: string) => guarded(templates.findOne(published(name))),

        /** By name. */
        listPublished: (page: ListPage) => readPage(templates, { accountId, published: true }, page, "name"),

        /** By name, including templates that were never published. */
        async listStates(page: ListPage): Promise<TemplateState<TemplateVersionFacts, TemplateHeadFacts>[]> {
          const [versions, drafts] = await Promise.all([
            readPage(templates, { accountId, published: true }, page, "name", {
              projection: { definition: 0 },
            }),
            readPage(heads, { accountId, present: true }, page, "name", {
              projection: { draft: 0, testData: 0, dataSets: 0 },
            }),
          ]);
          const names = new Set([...versions, ...drafts].map(({ name }) => name));
          const inOrder = [...names].sort((a, b) => (a < b ? -1 : 1)).slice(0, page.limit);
          const versionOf = new Map(versions.map((one) => [one.name, one]));
          const headOf = new Map(drafts.map((one) => [one.name, one]));
          return inOrder.map((name) => ({ published: versionOf.get(name), head: headOf.get(name) }));
        },

        /**
         * Subjects of texts that an earlier release stored without a summary, by the name of the template.
         * @param names of published versions and of drafts
         */
        async listSubjects(names: {
          readonly published: readonly string[];
          readonly drafts: readonly string[];
        }): Promise<{
          readonly published: ReadonlyMap<string, string>;
          readonly drafts: ReadonlyMap<string, string>;
        }> {
          const [versions, edited] = await Promise.all([
            guarded(
              templates
                .find(
                  { accountId, published: true, name: { $in: [...names.published] } },
                  { projection: WITHOUT_BODIES.definition },
                )
                .toArray(),
            ),
            guarded(
              heads
                .find(
                  { accountId, present: true, name: { $in: [...names.drafts] } },
                  { projection: WITHOUT_BODIES.draft },
                )
                .toArray(),
            ),
          ]);
          return {
            published: new Map(
              versions.map(({ name, definition }) => [name, listedSubject(definition.subject)]),
            ),
            drafts: new Map(edited.map(({ name, draft }) => [name, listedSubject(draft?.subject ?? "")])),
          };
        },

        /** Resources that use templates, by the name of the template. */
        listUses: (): Promise<ReadonlyMap<string, ResourceUse>> => guarded(users.ofTemplates(accountId)),

        /** The published version and the head; undefined: there is no such template. */
        async find(name: string): Promise<TemplateState | undefined> {
          const state = await guarded(read(name));
          return isThere(state) ? state : undefined;
        },

        findVersion: (name: string, version: number) =>
          guarded(templates.findOne({ accountId, name, version })),

        /** The latest first. @param page.before only lower numbers; undefined: all */
        listVersions: (
          name: string,
          { before, limit }: { readonly before?: number | undefined; readonly limit: number },
        ): Promise<TemplateVersionFacts[]> =>
          guarded(
            templates
              .find(
                { accountId, name, ...(before !== undefined && { version: { $lt: before } }) },
                { projection: { definition: 0 } },
              )
              .sort({ version: -1 })
              .limit(limit)
              .toArray(),
          ),

        /**
         * Changes or creates a template, atomically.
         * @param decide returns the new state from the current one; called again on a conflict; undefined: unchanged.
         * If it throws, nothing is changed
         */
        edit: (
          name: string,
          decide: (state: TemplateState) => TemplateEdit | undefined,
          at: Date,
          audit: Audit,
        ): Promise<TemplateState> =>
          writes.transact(async (session) => {
            const state = await read(name, session);
            const edit = decide(isThere(state) ? state : { published: undefined, head: undefined });
            if (!edit) return state;
            const { publish } = edit;
            const isNew = publish && !isDeepStrictEqual(state.published?.definition, publish.definition);
            const version = isNew
              ? await writeVersion(name, state, { ...publish, createdAt: at }, { session, audit })
              : state.published;
            const deletedVersion = state.head?.deletedVersion ?? 0;
            const head = await writeHead(name, state, { ...edit, present: true, deletedVersion }, session);
            if (!isNew) {
              const { target } = drafts.change(undefined, head);
              const before = isThere(state) ? (state.head ?? {}) : undefined;
              await writes.note(session, accountId, audit, { target, before, after: head });
            }
            return { published: version, head };
          }),

        /**
         * Publishes the next version of a template, atomically, unless the published version is equal. Exactly one
         * version is published at any time, and concurrent writers get consecutive versions. A draft stays.
         */
        publish: ({ name, ...content }: NewTemplate, audit: Audit): Promise<TemplateDocument> =>
          writes.transact(async (session) => {
            const state = await read(name, session);
            if (state.published && isDeepStrictEqual(state.published.definition, content.definition))
              return state.published;
            const { head } = state;
            if (head && !head.present) await writeHead(name, state, { ...head, present: true }, session);
            return writeVersion(name, state, content, { session, audit });
          }),

        /**
         * Removes a template with all of its versions; false: there is none. Its version numbers are not reused.
         * @param check throws if rules still use it; then nothing is changed
         */
        remove: (name: string, audit: Audit, check?: CheckUse, ifRevision?: string): Promise<boolean> =>
          writes.transact(async (session) => {
            await users.exclude(session, accountId);
            const state = await read(name, session);
            if (!isThere(state)) return false;
            checkRevision(ifRevision, templateRevision(state), "template.stale");
            const use = await users.ofTemplate(session, accountId, name);
            check?.(use);
            const deletedVersion = await lastVersion(name, state, session);
            await templates.deleteMany({ accountId, name }, { session });
            const { _id: id } = await writeHead(name, state, { deletedVersion }, session);
            const kind = state.published ? "template" : "template_draft";
            const before = state.published ?? state.head;
            const target = { kind, id, name } as const;
            await writes.note(session, accountId, audit, { target, before, after: undefined, use });
            return true;
          }),
      };
    },
  };
}

/** Subject in a list: its first characters. A subject can have a million. */
const listedSubject = (subject: string) => subject.slice(0, 300).toWellFormed();

function summaryOf(definition: TemplateSource): TemplateSummary {
  return { subject: listedSubject(definition.subject), digest: contentRevision(definition) };
}

const isThere = ({ published, head }: TemplateState) => published !== undefined || head?.present === true;

/** Changes with every change of the draft, of the test data and of the published version. */
export function templateRevision({
  published,
  head,
}: TemplateState<TemplateVersionFacts, TemplateHeadFacts>): string {
  return `${head?.changes ?? 0}.${published?.version ?? 0}`;
}
