import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { keys as contract, key, keyUses } from "../../../contracts/dashboard/keys.ts";
import { KeySchema, KeyUsesSchema } from "../../../gen/hermod/access/v1/key_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bodyOf, createCoreFor, type DashboardParts, momentOf, pageBody, pageRequest } from "./call.ts";

type Key = z.output<typeof key>;
type Uses = z.output<typeof keyUses>;

const DAY_SECONDS = 86_400;

/** Handlers of the routes of `dashboard.keys`. */
export function keys(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listKeys: async ({ request, query }) => {
      const found = await coreFor(request).keys.listKeys({
        ...pageRequest(query),
        kind: query.kind ?? "",
        state: query.state ?? "",
        query: query.query ?? "",
      });
      const data = found.keys.map((one) => bodyOf<Key>(KeySchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getKey: async ({ request, params }) => {
      const found = await coreFor(request).keys.getKey({ key: params.key_id });
      return { status: 200, body: bodyOf<Key>(KeySchema, found.key) };
    },
    listKeyUses: async ({ request, params, query }) => {
      const { days } = await coreFor(request).keys.listKeyUses({ key: params.key_id, days: query.days ?? 0 });
      return { status: 200, body: { data: days.map((one) => bodyOf<Uses>(KeyUsesSchema, one)) } };
    },
    createKey: async ({ request, body }) => {
      const { name, kind, scope_mode: scopeMode, scopes, senders, allowed_addresses, expires_at } = body;
      const { workspace_id: workspaceId } = body;
      const expiresAt = momentOf(expires_at, "/expires_at");
      const response = await coreFor(request).keys.createKey({
        name,
        ...withoutUndefined({
          kind,
          scopeMode,
          scopes,
          senders,
          allowedAddresses: allowed_addresses,
          workspaceId,
        }),
        ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
      });
      const { secret, password } = response;
      return { status: 201, body: { key: bodyOf<Key>(KeySchema, response.key), secret, password } };
    },
    renameKey: async ({ request, params, body: { name, if_revision: ifRevision = "" } }) => {
      const renamed = await coreFor(request).keys.renameKey({ key: params.key_id, name, ifRevision });
      return { status: 200, body: bodyOf<Key>(KeySchema, renamed.key) };
    },
    replaceKeyAccess: async ({ request, params, body }) => {
      const { scope_mode: scopeMode, scopes = [], senders, allowed_addresses: allowedAddresses } = body;
      const expiresAt = momentOf(body.expires_at ?? undefined, "/expires_at");
      const replaced = await coreFor(request).keys.replaceKeyAccess({
        key: params.key_id,
        scopeMode,
        scopes,
        senders,
        allowedAddresses,
        ifRevision: body.if_revision ?? "",
        ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
      });
      return { status: 200, body: bodyOf<Key>(KeySchema, replaced.key) };
    },
    rotateKey: async ({ request, params, body }) => {
      const { overlap_seconds: overlapSeconds = DAY_SECONDS } = body;
      const rotated = await coreFor(request).keys.rotateKey({ key: params.key_id, overlapSeconds });
      const { secret, password } = rotated;
      const [next, former] = [rotated.key, rotated.former].map((one) => bodyOf<Key>(KeySchema, one));
      return { status: 201, body: { key: next as Key, secret, password, former: former as Key } };
    },
    revokeKey: async ({ request, params }) => {
      const revoked = await coreFor(request).keys.revokeKey({ key: params.key_id });
      return { status: 200, body: bodyOf<Key>(KeySchema, revoked.key) };
    },
  };
}
