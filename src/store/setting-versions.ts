import type { ClientSession, Db, Filter } from "mongodb";
import type { AuditActor } from "../shared/audit.ts";
import { guarded } from "./store-fault.ts";

/** Settings with kept versions. */
export type SettingKind = "policy" | "alert_rule" | "inhibition" | "on_call_schedule" | "webhook";

/** A stored state of a setting, which never changes. */
export interface SettingVersionDocument {
  /** Account, kind, name and number. */
  readonly _id: string;
  readonly accountId: string;
  readonly kind: SettingKind;
  readonly name: string;
  /** From 1, without gaps. */
  readonly number: number;
  /** Revision of the setting in this state. */
  readonly revision: string;
  readonly at: Date;
  /** Missing: a release without versions stored it. */
  readonly author?: AuditActor;
  /** Number of the version that this one restored. */
  readonly restores?: number;
  /** Content, in the form of its kind. Passwords of policies are encrypted. Other kinds have no secrets here. */
  readonly content: object;
  /** Missing: no secret is encrypted. */
  readonly sealedWith?: string;
  /** Time of its removal, for a deleted setting. Missing: the setting exists. */
  readonly expireAt?: Date;
}

/** Creates the content of a version. Secrets are bound to its id. */
export type ContentOf = (versionId: string) => Pick<SettingVersionDocument, "content" | "sealedWith">;

/** State of a setting. */
export interface SettingState {
  readonly revision: string;
  readonly at: Date;
  readonly contentOf: ContentOf;
}

/** A change of a setting. */
export interface SettingChange {
  /** Missing: the setting did not exist. */
  readonly before?: SettingState | undefined;
  readonly after: SettingState;
  readonly author: AuditActor;
  readonly restores?: number | undefined;
}

/** The present state of a setting, as read before its versions. */
export type PresentState = Pick<SettingState, "revision" | "at">;

export type SettingVersionFacts = Omit<SettingVersionDocument, "content" | "sealedWith">;

/** A version in a list. */
export interface ListedVersion extends Pick<SettingVersionFacts, "number" | "revision" | "at"> {
  readonly author?: AuditActor | undefined;
  readonly restores?: number | undefined;
  /** The present state of the setting. */
  readonly isCurrent: boolean;
  /** A release without versions stored the present state: its content is that of the setting. */
  readonly isUnrecorded: boolean;
}

export interface VersionPage {
  /** Only lower numbers; undefined: all. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest versions of one setting that stay. */
export const MAX_VERSIONS = 100;

/** A version as it is read: without document, the content is that of the setting. */
export type FoundVersion = ListedVersion & { readonly document?: SettingVersionDocument };

export const SETTING_VERSIONS = "settingVersions";

/**
 * Versions of the settings of one kind. The newest version is always the present state: a state that a release
 * without versions has stored is listed after the recorded ones, and the next change records it first.
 */
export function createSettingVersions(db: Db, kind: SettingKind) {
  const versions = db.collection<SettingVersionDocument>(SETTING_VERSIONS);
  const facts = { content: 0, sealedWith: 0 } as const;

  return (accountId: string) => {
    const of = (name: string) => ({ accountId, kind, name });

    async function newest(name: string, session?: ClientSession): Promise<SettingVersionFacts | undefined> {
      const options = { projection: facts, ...(session && { session }) };
      const found = versions.find<SettingVersionFacts>(of(name), options).sort({ number: -1 }).limit(1);
      return (await found.toArray())[0];
    }

    async function insert(
      session: ClientSession,
      name: string,
      number: number,
      { revision, at, contentOf }: SettingState,
      origin: Pick<SettingVersionDocument, "author" | "restores">,
    ): Promise<void> {
      const _id = `${accountId}.${kind}.${name}.${number}`;
      const document = { _id, ...of(name), number, revision, at, ...origin, ...contentOf(_id) };
      await versions.insertOne(document, { session });
    }

    /** Records a state that a release without versions has stored. @returns the highest number */
    async function catchUp(session: ClientSession, name: string, state: SettingState | undefined) {
      const last = await newest(name, session);
      const number = last?.number ?? 0;
      if (!state || last?.revision === state.revision) return number;
      await insert(session, name, number + 1, state, {});
      return number + 1;
    }

    /** The version after the recorded ones; undefined: the present state is recorded. */
    async function unrecorded(
      name: string,
      { revision, at }: PresentState,
      last: SettingVersionFacts | undefined,
    ): Promise<ListedVersion | undefined> {
      if (last?.revision === revision) return undefined;
      // A change since the present state was read has recorded it. An earlier state can have the same content.
      const recorded = { ...of(name), revision, at: { $gte: at } };
      if (await guarded(versions.findOne(recorded, { projection: { number: 1 } }))) return undefined;
      return { number: (last?.number ?? 0) + 1, revision, at, isCurrent: true, isUnrecorded: true };
    }

    async function edge(name: string, present: PresentState) {
      const last = await guarded(newest(name));
      const extra = await unrecorded(name, present, last);
      return { extra, top: extra?.number ?? last?.number ?? 0 };
    }

    const listed = (
      { number, revision, at, author, restores }: SettingVersionFacts,
      top: number,
    ): ListedVersion => ({
      number,
      revision,
      at,
      author,
      restores,
      isCurrent: number === top,
      isUnrecorded: false,
    });

    async function findBy(filter: Filter<SettingVersionDocument>, top: number) {
      const document = await guarded(versions.findOne(filter));
      return document && { ...listed(document, top), document };
    }

    return {
      /** Records a change, in its transaction. */
      async record(session: ClientSession, name: string, change: SettingChange): Promise<void> {
        const number = (await catchUp(session, name, change.before)) + 1;
        const { author, restores } = change;
        const origin = { author, ...(restores !== undefined && { restores }) };
        await insert(session, name, number, change.after, origin);
        await versions.deleteMany({ ...of(name), number: { $lte: number - MAX_VERSIONS } }, { session });
        // The name was that of a deleted setting.
        if (!change.before)
          await versions.updateMany(
            { ...of(name), expireAt: { $exists: true } },
            { $unset: { expireAt: "" } },
            { session },
          );
      },

      /** Keeps the versions of a deleted setting until a time, in the transaction of the deletion. */
      async expire(session: ClientSession, name: string, state: SettingState, expireAt: Date): Promise<void> {
        await catchUp(session, name, state);
        await versions.updateMany(of(name), { $set: { expireAt } }, { session });
      },

      /** Removes the versions of a deleted setting, in the transaction of the deletion. */
      async remove(session: ClientSession, name: string): Promise<void> {
        await versions.deleteMany(of(name), { session });
      },

      /** The newest first, without content. */
      async list(name: string, present: PresentState, page: VersionPage): Promise<ListedVersion[]> {
        const { extra, top } = await edge(name, present);
        const { before, limit } = page;
        const earlier = { ...of(name), ...(before !== undefined && { number: { $lt: before } }) };
        const found = versions.find<SettingVersionFacts>(earlier, { projection: facts });
        const recorded = await guarded(found.sort({ number: -1 }).limit(limit).toArray());
        const isFirst = extra && (before === undefined || extra.number < before);
        return [...(isFirst ? [extra] : []), ...recorded.map((one) => listed(one, top))].slice(0, limit);
      },

      /** @param number undefined: the present state. @returns undefined: there is no such version */
      async find(name: string, present: PresentState, number?: number): Promise<FoundVersion | undefined> {
        const { extra, top } = await edge(name, present);
        const wanted = number ?? top;
        if (extra?.number === wanted) return extra;
        return (await findBy({ ...of(name), number: wanted }, top)) ?? undefined;
      },

      /** As `find`, by the revision of the setting in that state. */
      async findRevision(
        name: string,
        present: PresentState,
        revision: string,
      ): Promise<FoundVersion | undefined> {
        const { extra, top } = await edge(name, present);
        if (extra?.revision === revision) return extra;
        return (await findBy({ ...of(name), revision }, top)) ?? undefined;
      },
    };
  };
}
