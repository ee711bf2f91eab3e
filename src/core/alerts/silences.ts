import { SilenceService } from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import type { Matchers } from "../../alerts/condition.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { newId } from "../../shared/ids.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import {
  createCompareInhibitionVersions,
  createGetInhibitionVersion,
  createListInhibitionVersions,
  createRestoreInhibition,
} from "./inhibition-versions.ts";
import { createDeleteInhibition, createListInhibitions, createPutInhibition } from "./inhibitions.ts";
import { createPreviewSilence } from "./preview-silence.ts";
import { needsConfirmation, readSilence } from "./read-silence.ts";
import { toSilence } from "./silence-to-proto.ts";

const READ = permitted("alerts.read");
const WRITE = permitted("alerts.write");

type Needs = Pick<Dependencies, "store" | "clock">;

/** Suppression of notifications: silences and inhibitions. */
export const silences: Area<Needs> = defineArea(SilenceService, {
  listSilences: [
    READ,
    READS,
    ({ store, clock }) =>
      async (request) => {
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: ({ alertRules }, page) => alertRules.listSilences(page),
          cursorOf: ({ _id }) => _id,
        });
        return { silences: entries.map((one) => toSilence(one, clock.now())), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, silence.unknown */
  getSilence: [
    READ,
    READS,
    ({ store, clock }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const silence = await account.alertRules.findSilence(request.id);
        if (!silence) throw fault("silence.unknown");
        return { silence: toSilence(silence, clock.now()) };
      },
  ],
  previewSilence: [READ, READS, createPreviewSilence],
  /** @throws Fault account.unknown, request.validation_failed, silence.unconfirmed, silence.too_many */
  createSilence: [
    WRITE,
    changes("silence.create"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const now = clock.now();
        const content = readSilence(request, now, now);
        await requireConfirmation(account, content.matchers, request.confirm);
        const created = { _id: newId("sil", now), createdBy: audit.actor.name, createdAt: now };
        const silence = await account.alertRules.addSilence({ ...created, ...content }, audit);
        return { silence: toSilence(silence, now) };
      },
  ],
  /**
   * @throws Fault account.unknown, silence.unknown, silence.ended, request.validation_failed, silence.unconfirmed,
   *   resource.stale
   */
  changeSilence: [
    WRITE,
    changes("silence.change", "id"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const { id, confirm, ifRevision } = request;
        const found = await account.alertRules.findSilence(id);
        if (!found) throw fault("silence.unknown");
        const now = clock.now();
        const content = readSilence(request, found.startsAt, now);
        await requireConfirmation(account, content.matchers, confirm);
        const contentOf = ({ startsAt }: typeof found) =>
          request.startsAt ? content : { ...content, startsAt };
        const changed = await account.alertRules.changeSilence(id, contentOf, audit, ifRevision);
        if (!changed) throw fault("silence.unknown");
        return { silence: toSilence(changed, now) };
      },
  ],
  /** @throws Fault account.unknown, silence.unknown */
  endSilence: [
    WRITE,
    changes("silence.end", "id"),
    ({ store, clock }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const silence = await account.alertRules.endSilence(request.id, audit);
        if (!silence) throw fault("silence.unknown");
        return { silence: toSilence(silence, clock.now()) };
      },
  ],
  listInhibitions: [READ, READS, createListInhibitions],
  putInhibition: [WRITE, changes("inhibition.put", "name"), createPutInhibition],
  deleteInhibition: [WRITE, changes("inhibition.delete", "name"), createDeleteInhibition],
  listInhibitionVersions: [READ, READS, createListInhibitionVersions],
  getInhibitionVersion: [READ, READS, createGetInhibitionVersion],
  compareInhibitionVersions: [READ, READS, createCompareInhibitionVersions],
  restoreInhibition: [WRITE, changes("inhibition.restore", "name"), createRestoreInhibition],
});

/** @throws Fault silence.unconfirmed */
async function requireConfirmation(
  account: AccountStore,
  matchers: Matchers,
  isConfirmed: boolean,
): Promise<void> {
  if (!isConfirmed && (await needsConfirmation(account, matchers))) throw fault("silence.unconfirmed");
}
