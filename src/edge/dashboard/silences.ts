import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { settingDifference, settingVersion } from "../../../contracts/common/setting-versions.ts";
import type { silence } from "../../../contracts/common/silence-schemas.ts";
import type { silences as contract, inhibitionVersion } from "../../../contracts/dashboard/silences.ts";
import { SettingVersionSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import {
  ChangeSilenceRequestSchema,
  CompareInhibitionVersionsResponseSchema,
  CreateSilenceRequestSchema,
  GetInhibitionVersionResponseSchema,
  InhibitionSchema,
  ListInhibitionsResponseSchema,
  PreviewSilenceRequestSchema,
  PreviewSilenceResponseSchema,
  PutInhibitionRequestSchema,
  SilenceSchema,
} from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  messageOf,
  momentOf,
  pageBody,
  pageRequest,
} from "./call.ts";

type Silence = z.output<typeof silence>;
type Version = z.output<typeof settingVersion>;
type Content = z.output<typeof inhibitionVersion>["content"];
type Difference = z.output<typeof settingDifference>;

/** Handlers of the routes of `dashboard.silences`. */
export function silences(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listSilences: async ({ request, query }) => {
      const found = await coreFor(request).silences.listSilences(pageRequest(query));
      const all = found.silences.map((one) => bodyOf<Silence>(SilenceSchema, one));
      return { status: 200, body: pageBody(all, found.nextPageToken) };
    },
    getSilence: async ({ request, params }) => {
      const { silence: found } = await coreFor(request).silences.getSilence({ id: params.silence_id });
      return { status: 200, body: bodyOf(SilenceSchema, found) };
    },
    previewSilence: async ({ request, body }) => {
      const asked = messageOf(PreviewSilenceRequestSchema, body);
      const previewed = await coreFor(request).silences.previewSilence(asked);
      return { status: 200, body: bodyOf(PreviewSilenceResponseSchema, previewed) };
    },
    createSilence: async ({ request, body: { starts_at, ends_at, ...rest } }) => {
      const created = await coreFor(request).silences.createSilence({
        ...messageOf(CreateSilenceRequestSchema, rest),
        ...timesOf({ starts_at, ends_at }),
      });
      return { status: 201, body: bodyOf(SilenceSchema, created.silence) };
    },
    changeSilence: async ({ request, params: { silence_id: id }, body: { starts_at, ends_at, ...rest } }) => {
      const changed = await coreFor(request).silences.changeSilence({
        ...messageOf(ChangeSilenceRequestSchema, { ...rest, id }),
        ...timesOf({ starts_at, ends_at }),
      });
      return { status: 200, body: bodyOf(SilenceSchema, changed.silence) };
    },
    endSilence: async ({ request, params }) => {
      const { silence: ended } = await coreFor(request).silences.endSilence({ id: params.silence_id });
      return { status: 200, body: bodyOf(SilenceSchema, ended) };
    },
    listInhibitions: async ({ request }) => {
      const found = await coreFor(request).silences.listInhibitions({});
      const { inhibitions } = bodyOf<{ inhibitions: never[] }>(ListInhibitionsResponseSchema, found);
      return { status: 200, body: { data: inhibitions } };
    },
    putInhibition: async ({ request, params: { name }, body }) => {
      const asked = messageOf(PutInhibitionRequestSchema, { ...body, name });
      const { inhibition } = await coreFor(request).silences.putInhibition(asked);
      return { status: 200, body: bodyOf(InhibitionSchema, inhibition) };
    },
    listInhibitionVersions: async ({ request, params: { name }, query }) => {
      const found = await coreFor(request).silences.listInhibitionVersions({ name, ...pageRequest(query) });
      const data = found.versions.map((one) => bodyOf<Version>(SettingVersionSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getInhibitionVersion: async ({ request, params: { name, version: number } }) => {
      const found = await coreFor(request).silences.getInhibitionVersion({ name, version: number });
      const { version, ...content } = bodyOf<Content & { version: Version }>(
        GetInhibitionVersionResponseSchema,
        found,
      );
      return { status: 200, body: { ...version, content } };
    },
    compareInhibitionVersions: async ({ request, params: { name }, query }) => {
      const { before = "", after = "" } = query;
      const compared = await coreFor(request).silences.compareInhibitionVersions({ name, before, after });
      return { status: 200, body: bodyOf<Difference>(CompareInhibitionVersionsResponseSchema, compared) };
    },
    restoreInhibition: async ({ request, params: { name }, body: { version, if_revision } }) => {
      const asked = { name, version, ifRevision: if_revision ?? "" };
      const { inhibition } = await coreFor(request).silences.restoreInhibition(asked);
      return { status: 200, body: bodyOf(InhibitionSchema, inhibition) };
    },
    deleteInhibition: async ({ request, params: { name }, query }) => {
      await coreFor(request).silences.deleteInhibition({ name, ifRevision: query.if_revision ?? "" });
      return { status: 204, body: undefined };
    },
  };
}

/** Times of a silence. @throws Fault request.validation_failed */
function timesOf(given: { readonly starts_at?: string | undefined; readonly ends_at?: string | undefined }) {
  const startsAt = momentOf(given.starts_at, "/starts_at");
  const endsAt = momentOf(given.ends_at, "/ends_at");
  return {
    ...(startsAt && { startsAt: timestampFromDate(startsAt) }),
    ...(endsAt && { endsAt: timestampFromDate(endsAt) }),
  };
}
