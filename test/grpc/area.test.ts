import { expect, it } from "vitest";
import { AuditService } from "../../gen/hermod/audit/v1/audit_service_pb.ts";
import { type Area, defineArea, prepareArea, type ServiceTaker } from "../../src/rpc/area.ts";
import { changes, READS, reads } from "../../src/rpc/audits.ts";
import { type HandlerContext, permitted, SIGNED_IN } from "../../src/rpc/callers.ts";

type Needs = { readonly names: readonly string[] };

const READ = permitted("audit.read");
const listEntries = [READ, READS, () => async () => ({})] as const;
const listOwnEntries = [SIGNED_IN, READS, () => async () => ({})] as const;
const listActions = [READ, READS, () => async () => ({})] as const;
const exportEntries = [READ, reads("audit.export"), () => async function* () {}] as const;
const whole = { listEntries, listOwnEntries, listActions, exportEntries };

/** Handlers that an area registers with a server. */
function handlersOf<N>(area: Area<N>, needs: N) {
  const taken: Record<string, unknown>[] = [];
  const server: ServiceTaker = { add: ({ handlers, readers }) => void taken.push({ ...handlers, readers }) };
  area.serve(server, needs);
  return taken;
}

it("splits a table of methods into callers, audits and handlers", async () => {
  const area: Area<Needs> = defineArea(AuditService, {
    ...whole,
    listEntries: [
      READ,
      changes("audit.look", "accountId"),
      ({ names }) =>
        async ({ pageToken }) => ({ nextPageToken: `${pageToken} ${names}` }),
    ],
  });
  expect(area.callers).toEqual({
    listEntries: READ,
    listOwnEntries: SIGNED_IN,
    listActions: READ,
    exportEntries: READ,
  });
  expect(area.audits).toEqual({
    listEntries: changes("audit.look", "accountId"),
    listOwnEntries: READS,
    listActions: READS,
    exportEntries: reads("audit.export"),
  });
  const [handlers, ...others] = handlersOf(area, { names: ["a", "b"] });
  expect(others).toEqual([]);
  const list = handlers?.listEntries as (request: object) => Promise<unknown>;
  expect(await list({ pageToken: "x" })).toEqual({ nextPageToken: "x a,b" });
});

it("creates shared parts once per server, and passes readers on", () => {
  let built = 0;
  const read = () => ({ pageSize: 3 });
  const area = prepareArea(
    AuditService,
    ({ names }: Needs) => {
      built += 1;
      return { count: names.length };
    },
    {
      ...whole,
      listEntries: [
        READ,
        READS,
        ({ count }) =>
          async ({ pageSize }) => ({ nextPageToken: `${count} ${pageSize}` }),
      ],
    },
    { listEntries: read },
  );
  expect(built).toBe(0);
  const [handlers] = handlersOf(area, { names: ["a", "b"] });
  expect(built).toBe(1);
  expect(Object.keys(handlers ?? {})).toEqual([
    "listEntries",
    "listOwnEntries",
    "listActions",
    "exportEntries",
    "readers",
  ]);
  expect(handlers?.readers).toEqual({ listEntries: read });
});

it("does not compile a table with a missing or an additional method", () => {
  // @ts-expect-error `exportEntries` is missing
  const missing: Area<Needs> = defineArea(AuditService, { listEntries, listOwnEntries, listActions });
  // @ts-expect-error the service has no `removeEntries`
  const extra: Area<Needs> = defineArea(AuditService, { ...whole, removeEntries: listEntries });
  expect([missing, extra]).toHaveLength(2);
});

it("does not compile a method without its access, its audit and its handler", () => {
  const areas: Area<Needs>[] = [
    // @ts-expect-error there is no such permission
    defineArea(AuditService, { ...whole, listEntries: [permitted("audit.reed"), READS, listEntries[2]] }),
    // @ts-expect-error the access is no text
    defineArea(AuditService, { ...whole, listEntries: ["front_end", READS, listEntries[2]] }),
    // @ts-expect-error the audit comes second
    defineArea(AuditService, { ...whole, listEntries: [READS, READ, listEntries[2]] }),
    // @ts-expect-error the audit is missing
    defineArea(AuditService, { ...whole, listEntries: [READ, listEntries[2]] }),
    // @ts-expect-error the handler is missing
    defineArea(AuditService, { ...whole, listEntries: [READ, READS] }),
    // @ts-expect-error a handler of entries in parts is no handler of a list
    defineArea(AuditService, { ...whole, listEntries: [READ, READS, exportEntries[2]] }),
  ];
  expect(areas).toHaveLength(6);
});

it("does not compile a handler that uses missing fields of requests, contexts or needs", () => {
  type Clocked = { readonly clock: Date };
  const areas: Area<Needs>[] = [
    defineArea(AuditService, {
      ...whole,
      // @ts-expect-error the request has no `pageTokn`
      listEntries: [READ, READS, () => async (asked) => (asked.pageTokn ? {} : {})],
    }),
    defineArea(AuditService, {
      ...whole,
      // @ts-expect-error the context has no `user`
      listEntries: [READ, READS, () => async (_asked, context) => (context.user ? {} : {})],
    }),
    defineArea(AuditService, {
      ...whole,
      // @ts-expect-error the area does not need a clock
      listEntries: [READ, READS, (needs) => async () => (needs.clock ? {} : {})],
    }),
    // @ts-expect-error the area has no clock for this method
    defineArea(AuditService, { ...whole, listEntries: [READ, READS, (_: Clocked) => async () => ({})] }),
  ];
  expect(areas).toHaveLength(4);
});

it("does not compile an answer with a wrong or unknown field, at any depth or in a stream", () => {
  type Context = Pick<HandlerContext, "traceId">;
  const wrong = async () => ({ nextPageToken: 1 });
  const unknown = async () => ({ entries: [], nextPageTokn: "" });
  const either = async (_: unknown, { traceId }: Context) =>
    traceId ? { entries: [] } : { entries: [], nextPageTokn: "" };
  const nested = async () => ({ entries: [{ id: "aud_1", actor: { kind: "user", nam: "Ada" } }] });
  const listed = async () => ({ entries: [{ id: "aud_1", changes: [{ field: "a", befor: "b" }] }] });
  const known = async () => ({ entries: [{ id: "aud_1", changes: [{ field: "a", before: "b" }] }] });
  async function* streamed() {
    yield { data: new Uint8Array(), dat: 1 };
  }
  const areas: Area<Needs>[] = [
    // @ts-expect-error `nextPageToken` is a string
    defineArea(AuditService, { ...whole, listEntries: [READ, READS, () => wrong] }),
    // @ts-expect-error the answer has no `nextPageTokn`
    defineArea(AuditService, { ...whole, listEntries: [READ, READS, () => unknown] }),
    // @ts-expect-error one of two answers has `nextPageTokn`
    defineArea(AuditService, { ...whole, listEntries: [READ, READS, () => either] }),
    // @ts-expect-error an actor has no `nam`
    defineArea(AuditService, { ...whole, listEntries: [READ, READS, () => nested] }),
    // @ts-expect-error a change has no `befor`
    defineArea(AuditService, { ...whole, listEntries: [READ, READS, () => listed] }),
    // @ts-expect-error a part has no `dat`
    defineArea(AuditService, { ...whole, exportEntries: [READ, READS, () => streamed] }),
    defineArea(AuditService, { ...whole, listEntries: [READ, READS, () => known] }),
  ];
  expect(areas).toHaveLength(7);
});
