import type { ClientSession, Db } from "mongodb";
import type { AuditActor } from "../shared/audit.ts";
import {
  createSettingVersions,
  type FoundVersion,
  type ListedVersion,
  type SettingKind,
  type SettingState,
  type VersionPage,
} from "./setting-versions.ts";

/** Any setting has the time of its last change. */
interface Dated {
  readonly updatedAt: Date;
}

/** How versions name the settings of one kind, and what they keep. */
export interface VersionedKind<Setting extends Dated, Content extends object> {
  readonly kind: SettingKind;
  /** Name or id, which stays when the setting changes. */
  readonly nameOf: (setting: Setting) => string;
  /** Differs if the content differs. */
  readonly revisionOf: (setting: Setting) => string;
  /** Content without secrets. */
  readonly contentOf: (setting: Setting) => Content;
}

/** A version with its content. */
export interface PlainVersion<Content extends object> extends ListedVersion {
  readonly content: Content;
}

/** Origin of a new version. */
interface Origin<Setting> {
  /** Missing: the setting is new. */
  readonly former?: Setting | undefined;
  readonly author: AuditActor;
  /** Number of the version with this content. Missing: none. */
  readonly restores?: number | undefined;
}

export type PlainVersions<Setting extends Dated, Content extends object> = ReturnType<
  typeof createPlainVersions<Setting, Content>
>;

/** Time for which the versions of a deleted setting stay. A new setting with the same name continues them. */
const KEPT_AFTER_DELETION_MS = 30 * 86_400_000;

/** Former and present states of settings. Their versions have no secrets. */
export function createPlainVersions<Setting extends Dated, Content extends object>(
  db: Db,
  { kind, nameOf, revisionOf, contentOf }: VersionedKind<Setting, Content>,
) {
  const versionsOf = createSettingVersions(db, kind);

  const presentOf = (setting: Setting) => ({ revision: revisionOf(setting), at: setting.updatedAt });

  const stateOf = (setting: Setting): SettingState => ({
    ...presentOf(setting),
    contentOf: () => ({ content: contentOf(setting) }),
  });

  function versionOf(setting: Setting, { document, ...version }: FoundVersion): PlainVersion<Content> {
    return { ...version, content: document ? (document.content as Content) : contentOf(setting) };
  }

  return {
    /** Records versions in the transactions that change settings. */
    recorder: (accountId: string) => {
      const versions = versionsOf(accountId);
      return {
        record: (session: ClientSession, setting: Setting, { former, ...origin }: Origin<Setting>) =>
          versions.record(session, nameOf(setting), {
            before: former && stateOf(former),
            after: stateOf(setting),
            ...origin,
          }),
        /** Keeps the versions of a setting for a time after its deletion. */
        expire: (session: ClientSession, setting: Setting, at: Date) =>
          versions.expire(
            session,
            nameOf(setting),
            stateOf(setting),
            new Date(at.getTime() + KEPT_AFTER_DELETION_MS),
          ),
        /** Removes the versions of a deleted setting with a name that no other can have. */
        remove: (session: ClientSession, name: string) => versions.remove(session, name),
      };
    },

    forAccount: (accountId: string) => {
      const versions = versionsOf(accountId);
      return {
        /** Versions of this setting, the newest first. @param setting as read before */
        list: (setting: Setting, page: VersionPage): Promise<ListedVersion[]> =>
          versions.list(nameOf(setting), presentOf(setting), page),

        /** @param number undefined: the present version. @returns undefined: there is no such version */
        async find(setting: Setting, number?: number): Promise<PlainVersion<Content> | undefined> {
          const found = await versions.find(nameOf(setting), presentOf(setting), number);
          return found && versionOf(setting, found);
        },
      };
    },
  };
}
