import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { type ClientReadableStream, credentials, makeGenericClientConstructor, status } from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Handlers } from "../../src/rpc/bridge.ts";
import type { HandlerContext } from "../../src/rpc/callers.ts";
import { READY } from "../../src/rpc/calls.ts";
import { type CoreServer, createCoreServer } from "../../src/rpc/server.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { errorOf, type ReflectionRequest, reflect, reflectAll } from "../harness/raw-grpc.ts";
import { served } from "../harness/served.ts";
import { createSignal } from "../harness/signal.ts";
import { type TextMethods, TextService } from "../harness/text-service.ts";

interface HealthAnswer {
  readonly status?: string;
  readonly statuses?: Readonly<Record<string, { readonly status: string }>>;
}

// Definitions of another project, read by another protobuf implementation.
const HealthClient = makeGenericClientConstructor(healthService as never, "Health");
const DRAIN_MS = 100_000;

/** Never called. */
const handlers: Handlers<TextMethods, HandlerContext> = {
  say: async (request) => request,
  join: async () => ({}),
  split: async function* () {},
  echo: async function* () {},
};

let server: CoreServer;
let address: string;
let health: InstanceType<typeof HealthClient>;

beforeEach(async () => {
  server = createCoreServer({
    host: "127.0.0.1",
    port: 0,
    tokens: { operator: "token" },
    clock: systemClock,
    log: createLogger("silent"),
  });
  server.add(served(TextService, handlers));
  address = `127.0.0.1:${await server.listen()}`;
  health = new HealthClient(address, credentials.createInsecure());
});
afterEach(async () => {
  health.close();
  await server.close(0);
});

function ask(method: "Check" | "List", request: object): Promise<HealthAnswer> {
  return new Promise((resolve, reject) =>
    health[method]?.(request, (error: Error | null, answer: HealthAnswer) =>
      error ? reject(error) : resolve(answer),
    ),
  );
}

/** Statuses that a watch receives. */
function watch(service: string) {
  const told = createSignal<string>();
  const ended = createSignal();
  const call = health.Watch?.({ service }) as ClientReadableStream<HealthAnswer>;
  call.on("data", (answer: HealthAnswer) => told.tell(answer.status ?? ""));
  call.on("error", () => undefined);
  call.on("end", () => ended.tell());
  return { told, ended, cancel: () => call.cancel() };
}

describe("the standard health check", () => {
  it("reports whether the core serves, and whether its dependencies are available", async () => {
    expect(await ask("Check", {})).toEqual({ status: "SERVING" });
    expect(await ask("Check", { service: READY })).toEqual({ status: "SERVING" });
    server.setReady(false);
    expect(await ask("Check", {})).toEqual({ status: "SERVING" });
    expect(await ask("Check", { service: READY })).toEqual({ status: "NOT_SERVING" });
    expect(await ask("List", {})).toEqual({
      statuses: { "": { status: "SERVING" }, [READY]: { status: "NOT_SERVING" } },
    });
  });

  it("reports an unknown service", async () => {
    const refused = await errorOf(ask("Check", { service: "hermod.none" }));
    expect(refused.code).toBe(status.NOT_FOUND);
    const { told, cancel } = watch("hermod.none");
    await told.until(1);
    expect(told.seen).toEqual(["SERVICE_UNKNOWN"]);
    cancel();
  });

  it("sends each change to a watcher once", async () => {
    const { told, cancel } = watch(READY);
    await told.until(1);
    for (const isReady of [true, false, false, true]) server.setReady(isReady);
    await told.until(3);
    expect(told.seen).toEqual(["SERVING", "NOT_SERVING", "SERVING"]);
    cancel();
  });

  it("ends for watchers when the server closes, which does not wait for them", async () => {
    const { told, ended } = watch("");
    await told.until(1);
    await server.close(DRAIN_MS);
    await ended.until(1);
    expect(told.seen).toEqual(["SERVING", "NOT_SERVING"]);
  });
});

/** Names of the files in an answer. */
async function filesFor(request: ReflectionRequest): Promise<string[]> {
  const { file_descriptor_response: found } = await reflect(address, request);
  return (found?.file_descriptor_proto ?? []).map(
    (bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name,
  );
}

describe("reflection", () => {
  it.each(["v1", "v1alpha"] as const)("lists the services, in version %s", async (version) => {
    const { list_services_response: listed } = await reflect(address, { list_services: "*" }, version);
    expect(listed?.service.map(({ name }) => name)).toEqual(["test.v1.TextService", "grpc.health.v1.Health"]);
  });

  it.each([
    ["a file", { file_by_filename: "google/rpc/error_details.proto" }],
    ["a message", { file_containing_symbol: "google.rpc.QuotaFailure" }],
    ["a message within another", { file_containing_symbol: "google.rpc.QuotaFailure.Violation" }],
    ["a field", { file_containing_symbol: "google.rpc.QuotaFailure.Violation.subject" }],
  ])("returns %s with all its imports", async (_name, request) => {
    expect(await filesFor(request)).toEqual([
      "google/rpc/error_details.proto",
      "google/protobuf/duration.proto",
    ]);
  });

  it.each([
    ["a service", "test.v1.TextService", "text.proto"],
    ["an extension", "test.v1.note", "text.proto"],
    ["a method", "test.v1.TextService.Say", "text.proto"],
    ["an enumeration", "grpc.health.v1.HealthCheckResponse.ServingStatus", "health/v1/health.proto"],
    [
      "a value, beside its enumeration",
      "grpc.health.v1.HealthCheckResponse.SERVING",
      "health/v1/health.proto",
    ],
  ])("finds the file of %s", async (_name, symbol, file) => {
    const [first] = await filesFor({ file_containing_symbol: symbol });
    expect(first).toBe(file);
  });

  it.each([
    ["a file", { file_by_filename: "none.proto" }],
    ["a symbol", { file_containing_symbol: "google.rpc.None" }],
    ["a property of every object", { file_containing_symbol: "constructor" }],
    [
      "an extension",
      { file_containing_extension: { containing_type: "google.rpc.Help", extension_number: 1 } },
    ],
    ["a type with extensions", { all_extension_numbers_of_type: "google.rpc.Help" }],
  ])("reports %s as unknown", async (_name, request) => {
    const { error_response: refused } = await reflect(address, request);
    expect(refused?.error_code).toBe(status.NOT_FOUND);
  });

  it("finds the extensions of a type, with their position", async () => {
    const extended = "google.protobuf.MethodOptions";
    const { all_extension_numbers_response: numbers } = await reflect(address, {
      all_extension_numbers_of_type: extended,
    });
    expect(numbers?.extension_number).toEqual([50_000]);
    const extension = { containing_type: extended, extension_number: 50_000 };
    expect(await filesFor({ file_containing_extension: extension })).toContain("text.proto");
  });

  it("refuses an empty request", async () => {
    const { error_response: refused } = await reflect(address, { host: "localhost" });
    expect(refused?.error_code).toBe(status.INVALID_ARGUMENT);
  });

  it("answers all of many requests of a slow reader", async () => {
    const question = { file_by_filename: "google/rpc/error_details.proto" };
    const answers = await reflectAll(
      address,
      Array.from({ length: 1_000 }, () => question),
    );
    expect(answers.filter((answer) => answer.file_descriptor_response).length).toBe(1_000);
  });
});
