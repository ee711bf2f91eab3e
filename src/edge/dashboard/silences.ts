import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { settingDifference, settingVersion } from "../../../contracts/common/setting-versions.ts";
import type {
  silences as contract,
  inhibitionVersion,
  silence,
} from "../../../contracts/dashboard/silences.ts";
import { SettingVersionSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import {
  CompareInhibitionVersionsResponseSchema,
  CreateSilenceRequestSchema,
  GetInhibitionVersionResponseSchema,
  InhibitionSchema,
  ListInhibitionsResponseSchema,
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
    createSilence: async ({ request, body: { starts_at, ends_at, ...rest } }) => {
      const startsAt = momentOf(starts_at, "/starts_at");
      const endsAt = momentOf(ends_at, "/ends_at");
      const created = await coreFor(request).silences.createSilence({
        ...messageOf(CreateSilenceRequestSchema, rest),
        ...(startsAt && { startsAt: timestampFromDate(startsAt) }),
        ...(endsAt && { endsAt: timestampFromDate(endsAt) }),
      });
      return { status: 201, body: bodyOf(SilenceSchema, created.silence) };
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
