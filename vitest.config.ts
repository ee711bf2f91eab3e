import { configDefaults, defineConfig } from "vitest/config";
import { leftOutBy } from "./test/harness/left-out.ts";

const filters = process.argv.slice(2).filter((argument) => !argument.startsWith("-") && argument !== "run");
const leftOut = leftOutBy({ level: process.env.HERMOD_TEST_LONG ?? "", filters });

// The suite runs on the embedded engine; with MONGODB_URL, what a store can change runs again on that server.
const changedByTheStore = [
  "test/{engine,store}/**/*.test.ts",
  "test/core/**/*.test.ts",
  "test/flow/clock-skew.test.ts",
  "test/api/{alerts,idempotency,send-email}.test.ts",
  "test/grpc/{core,policies,submission-streams,submissions}.test.ts",
  "test/delivery/{check-suppression,damaged-leases,damaged-messages,partition-return,partitions,queue-store,record-results,suppression,unreadable-body,unreadable-documents,unreadable-message,worker}.test.ts",
  // What kills and cuts off: on the replica set of three, in CI.
  "test/flow/{alerts,bulk-messages,cancel,crash,delivery-crash,dispatch,first-run,operations,paused-worker,quarantine,relay-crash,roles,submission-crash,upgrades,webhooks}.test.ts",
  // It strikes down the replica set: by itself.
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
    // They hold much, and make much that is soon of no use.
    execArgv: ["--max-semi-space-size=64"],
    // How long a test takes proves nothing: this ends what hangs, also on a machine that is busy with other things.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The same for what a test waits for.
    expect: { poll: { timeout: 60_000 } },
    // Of the tests of one file that are marked as concurrent: all they do is wait.
    maxConcurrency: 12,
    // No module keeps state, and a test closes what it opens: modules are loaded once for all files of a worker.
    isolate: false,
  },
});
