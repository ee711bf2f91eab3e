import { parseArgs } from "node:util";
import { accept } from "./accept.js";
import { deliver } from "./deliver.js";
import { createCleanUp } from "./lib/clean-up.js";
import { memory } from "./memory.js";

const USAGE = `npm run bench -- accept [options]   durable accepts per second over HTTP, beside two references
npm run bench -- memory [options]   resident memory while messages are accepted and delivered
npm run bench -- deliver [options]  messages that reach an SMTP server, beside Postfix and Haraka

  --rounds N          accept, deliver: rounds, each of which measures everything once (3)
  --seconds N         accept: length of one measurement, after a warm-up of 1 s (5)
  --connections LIST  numbers of connections: accept (1,32,128), deliver (20,100); memory: one number (32)
  --modes LIST        accept: accept-only, deliver or both (accept-only,deliver)
  --profile DIR       accept: CPU profiles of Hermod's threads go there (it runs slower, and ends by SIGTERM)
  --messages N        how many messages: memory (200000), deliver in each measurement (5000)
  --peers LIST        deliver: what stands beside Hermod (postfix,haraka); none: nothing
  --dir DIR           where the data of the run lies, removed afterwards (the system's temporary folder)
  --json FILE         writes all figures there

MONGODB_URL: measure on that server, in databases of their own, instead of the embedded engine.
`;

const experiments = { accept, memory, deliver };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    seconds: { type: "string" },
    connections: { type: "string" },
    modes: { type: "string" },
    profile: { type: "string" },
    messages: { type: "string" },
    peers: { type: "string" },
    dir: { type: "string" },
    json: { type: "string" },
    help: { type: "boolean" },
  },
});
const [name = ""] = positionals;
const experiment = experiments[/** @type {keyof typeof experiments} */ (name)];
if (values.help || !experiment || positionals.length > 1) {
  process.stdout.write(USAGE);
  process.exit(values.help ? 0 : 2);
}

const cleanUp = createCleanUp();
try {
  const complete = await experiment(values, cleanUp);
  process.exitCode = complete ? 0 : 1;
} finally {
  await cleanUp.run();
}
