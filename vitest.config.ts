import { configDefaults, defineConfig } from "vitest/config";
import { leftOutBy } from "./test/harness/left-out.ts";

const filters = process.argv.slice(2).filter((argument) => !argument.startsWith("-") && argument !== "run");
const leftOut = leftOutBy({ level: process.env.HERMOD_TEST_LONG ?? "", filters });

// The suite runs on the embedded engine; with MONGODB_URL, tests that depend on the store run again on that server.
const changedByTheStore = [
  "test/{engine,store}/**/*.test.ts",
  "test/core/**/*.test.ts",
  "test/flow/clock-skew.test.ts",
  "test/api/{alerts,idempotency,send-email}.test.ts",
  "test/grpc/{core,policies,submission-streams,submissions}.test.ts",
  "test/delivery/{check-suppression,damaged-leases,damaged-messages,partition-return,partitions,queue-store,record-results,suppression,unreadable-body,unreadable-documents,unreadable-message,worker}.test.ts",
  // Tests that kill processes and cut connections: on the replica set of three, in CI.
  "test/flow/{alerts,bulk-messages,cancel,crash,delivery-crash,dispatch,first-run,operations,paused-worker,quarantine,relay-crash,roles,submission-crash,upgrades,webhooks}.test.ts",
  // This test stops the replica set, so it runs alone.
  "test/nemesis/nemesis.test.ts",
];
const onMongoDb = Boolean(process.env.MONGODB_URL);

export default defineConfig({
  test: {
    include: onMongoDb ? changedByTheStore : ["{src,contracts,test}/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...leftOut],
    globalSetup: ["test/harness/build-once.ts"],
    setupFiles: ["test/harness/property-reports.ts", "test/harness/file-times.ts"],
    // Many tests wait, for servers, leases and processes: four keep two cores at work.
    maxWorkers: 4,
    // Tests hold much memory, and create many short-lived objects.
    execArgv: ["--max-semi-space-size=64"],
    // The duration of a test proves nothing. The limit ends a test that hangs, and is long enough for a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The same limit for each wait of a test.
    expect: { poll: { timeout: 60_000 } },
    // Concurrent tests of one file only wait.
    maxConcurrency: 12,
    // No module keeps state, and a test closes what it opens: modules are loaded once for all files of a worker.
    isolate: false,
  },
});
