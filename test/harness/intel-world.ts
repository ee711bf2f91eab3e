import type { Problem } from "../../contracts/common/problem.ts";
import type { CheckId } from "../../src/intel/catalogue.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import { type Dashboard, openDashboard } from "./dashboard.ts";
import { checkIds } from "./domain-results.ts";
import type { TestIntelOptions } from "./test-intel.ts";

/** Request of a test with a key. */
export interface KeyedRequest {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KeyedAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asks for
  readonly body: any;
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface OpenedWorkspace {
  readonly id: string;
  readonly key: string;
}

/** The HTTP API and the dashboard API. The test sets the results of domain checks; private names are refused. */
export interface IntelWorld {
  readonly dashboard: Dashboard;
  /** Check results by domain. */
  readonly results: Map<string, readonly CheckResult[]>;
  newAccount(): Promise<string>;
  /** Creates a workspace with its own key. */
  newWorkspace(accountId: string, name: string): Promise<OpenedWorkspace>;
  /** @param path below `/api/deliverability/v1` */
  ask(method: "GET" | "POST", path: string, request?: KeyedRequest): Promise<KeyedAnswer>;
  /** Checks a domain as if it were due. */
  check(accountId: string, domainId: string): Promise<void>;
  close(): Promise<void>;
}

export async function openIntelWorld({
  allowsPrivate = false,
  promptReports,
}: Omit<TestIntelOptions, "sights"> = {}): Promise<IntelWorld> {
  const results: IntelWorld["results"] = new Map();
  const dashboard = await openDashboard({
    intel: { sights: { results }, allowsPrivate, ...(promptReports && { promptReports }) },
  });
  const { operator, time } = dashboard.identity;
  return {
    dashboard,
    results,
    newAccount: async () => (await operator.accounts.createAccount({ name: "Acme" })).account?.id ?? "",
    newWorkspace: async (accountId, name) => {
      const { workspace } = await operator.workspaces.createWorkspace({ accountId, name });
      const workspaceId = workspace?.id ?? "";
      const { secret } = await operator.keys.createKey({ accountId, kind: "deliverability", workspaceId });
      return { id: workspaceId, key: secret };
    },
    ask: async (method, path, { key, body, headers = {} } = {}) => {
      const answer = await dashboard.app.inject({
        method,
        url: `/api/deliverability/v1${path}`,
        headers: { host: "api.test", ...(key !== undefined && { "x-api-key": key }), ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      const isPlain = answer.body !== "" && answer.headers["content-encoding"] === undefined;
      const isJson = isPlain && /\bjson\b/.test(String(answer.headers["content-type"]));
      const read = isJson ? answer.json() : answer.body;
      return { status: answer.statusCode, body: read, problem: read as Problem, headers: answer.headers };
    },
    check: async (accountId, id) => {
      // The rate limit allows one on-demand check per half minute.
      time.pass(31_000);
      await operator.watches.checkWatchedDomain({ accountId, id });
    },
    close: dashboard.close,
  };
}

/** Returns results in which all checks pass except the given ones. */
export function sight(but: Readonly<Partial<Record<CheckId, Partial<CheckResult>>>> = {}): CheckResult[] {
  return checkIds.map((id) => ({
    id,
    status: "pass",
    observed: "It is well.",
    expected: "It is well.",
    evidence: [],
    ...but[id],
  }));
}
