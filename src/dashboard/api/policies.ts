import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { policyExplanation } from "../../../contracts/common/policy-explanation.ts";
import type { policyHold, policyQueue } from "../../../contracts/common/policy-queue.ts";
import type { policy } from "../../../contracts/common/policy-schemas.ts";
import { policies } from "../../../contracts/dashboard/policies.ts";
import { call, clientOf } from "./client.ts";
import { listQuery, type Page, type PageOptions, pageOf } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(policies);

export type Policy = z.output<typeof policy>;
export type PolicyTransport = Policy["transports"][number];
export type CreatedPolicy = Parameters<typeof client.createPolicy>[0]["body"];
/** The settings of a policy, as a change sends them. */
export type PolicyContent = Omit<CreatedPolicy, "name" | "default">;
export type NewTransport = PolicyContent["transports"][number];
export type NewRule = NonNullable<PolicyContent["rules"]>[number];
export type ExplainRequest = NonNullable<NonNullable<Parameters<typeof client.explainPolicy>[0]>["body"]>;
export type Explanation = z.output<typeof policyExplanation>;
export type PolicyQueue = z.output<typeof policyQueue>;
export type PolicyHold = z.output<typeof policyHold>;

const REFRESH_MS = 15_000;

/** Routing policies by name. */
export const policiesQuery = listQuery(["policies", "list"], 100, ({ query, fetchOptions }) =>
  call(() => client.listPolicies({ query, fetchOptions })),
);

/** Policies of one page with a text in their names. The API has no search by name. */
export async function loadPoliciesNamed(
  text: string,
  cursor: string,
  { limit, signal }: PageOptions,
): Promise<Page<Policy>> {
  const page = await call(() =>
    client.listPolicies({ query: pageOf(cursor, limit), ...(signal && { fetchOptions: { signal } }) }),
  );
  return { ...page, data: page.data.filter(({ name }) => name.includes(text.toLowerCase())) };
}

/** One policy, without its passwords. */
export const policyQuery = (name: string) =>
  queryOptions({
    queryKey: ["policies", "one", name],
    queryFn: ({ signal }) =>
      call(() => client.getPolicy({ params: { policy: name }, fetchOptions: { signal } })),
  });

/** Versions of a policy, newest first. */
export const policyVersionsQuery = (name: string) =>
  listQuery(["policies", "versions", name], 50, ({ query, fetchOptions }) =>
    call(() => client.listPolicyVersions({ params: { policy: name }, query, fetchOptions })),
  );

/** A version with its content. */
export const policyVersionQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: ["policies", "version", name, version],
    queryFn: ({ signal }) =>
      call(() =>
        client.getPolicyVersion({
          params: { policy: name, version: String(version) },
          fetchOptions: { signal },
        }),
      ),
  });

/** The fields that differ between two versions. */
export const policyDifferenceQuery = (name: string, before: number, after: number) =>
  queryOptions({
    queryKey: ["policies", "difference", name, before, after],
    queryFn: ({ signal }) =>
      call(() =>
        client.comparePolicyVersions({
          params: { policy: name },
          query: { before: String(before), after: String(after) },
          fetchOptions: { signal },
        }),
      ),
  });

/** Messages that wait under a policy, and the holds that cover them. */
export const policyQueueQuery = (name: string) =>
  queryOptions({
    queryKey: ["policies", "queue", name],
    queryFn: ({ signal }) =>
      call(() => client.getPolicyQueue({ params: { policy: name }, fetchOptions: { signal } })),
    refetchInterval: pollEvery(REFRESH_MS),
  });

export const createPolicy = (body: CreatedPolicy) => call(() => client.createPolicy({ body }));

/** Replaces all settings. The server refuses it if the policy has another revision. */
export const replacePolicy = (name: string, revision: string, content: PolicyContent) =>
  call(() => client.replacePolicy({ params: { policy: name }, body: { ...content, revision } }));

export const makeDefaultPolicy = (name: string) =>
  call(() => client.makeDefaultPolicy({ params: { policy: name } }));

export const deletePolicy = (name: string, revision: string, isForced: boolean) =>
  call(() =>
    client.deletePolicy({
      params: { policy: name },
      query: { revision, ...(isForced && { force: "true" as const }) },
    }),
  );

export const explainPolicy = (body: ExplainRequest) => call(() => client.explainPolicy({ body }));

export const restorePolicy = (name: string, revision: string, version: number) =>
  call(() => client.restorePolicy({ params: { policy: name }, body: { revision, version } }));

/** @param destination empty: all messages of the policy */
export const holdPolicyQueue = (name: string, destination: string, reason: string) =>
  call(() =>
    client.holdPolicyQueue({
      params: { policy: name },
      body: { reason, ...(destination && { destination }) },
    }),
  );

/** @param destination empty: the hold of all messages of the policy */
export const releasePolicyQueue = (name: string, destination: string) =>
  call(() =>
    client.releasePolicyQueue({ params: { policy: name }, body: destination ? { destination } : {} }),
  );
