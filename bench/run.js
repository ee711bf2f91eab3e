import { parseArgs } from "node:util";
import { accept } from "./accept.js";
import { alerts } from "./alerts.js";
import { conflicts } from "./conflicts.js";
import { counting } from "./counting.js";
import { dashboard } from "./dashboard.js";
import { deliver } from "./deliver.js";
import { intel } from "./intel.js";
import { createCleanUp } from "./lib/clean-up.js";
import { shortForms } from "./lib/short-forms.js";
import { lists } from "./lists.js";
import { memory } from "./memory.js";
import { relay } from "./relay.js";
import { search } from "./search.js";
import { storage } from "./storage.js";
import { webhooks } from "./webhooks.js";

const USAGE = `npm run bench -- accept [options]   durable accepts per second over HTTP, beside two references
npm run bench -- memory [options]   resident memory while messages are accepted and delivered
npm run bench -- deliver [options]  messages that reach an SMTP server, beside Postfix and Haraka
npm run bench -- relay [options]    messages from SMTP to SMTP, beside Postfix, Haraka and ZoneMTA
npm run bench -- search [options]   pages of searches among millions of messages, and accepting beside them
npm run bench -- lists [options]    pages of every list of the session API at 300,000 messages, and sending beside them
npm run bench -- storage [options]  what the store keeps of each message
npm run bench -- webhooks [options] events that reach endpoints, beside requests alone
npm run bench -- alerts [options]   what deciding about an alert costs, and alerts taken over HTTP, beside Alertmanager
npm run bench -- intel [options]    domains looked at, beside checkdmarc, and stored; blacklists asked; reports made
npm run bench -- conflicts [options] transactions that MongoDB aborts while several processes count the same accounts
npm run bench -- counting [options] events that one process counts, by the number of accounts
npm run bench -- dashboard [options] bytes and time of the first page in Chromium, a long list, and a list that changes

  --rounds N          accept, alerts, counting, deliver, intel, lists, relay, webhooks: rounds, each of which measures everything once (3);
                      search: pages of each filter (200); dashboard: first pages (5)
  --seconds N         accept: length of one measurement, after a warm-up of 1 s (5); alerts: at most (3); search: accepting (3);
                      lists: sending (5); conflicts: of each number (15); dashboard: changes (10);
                      relay --crash: until the kill (3)
  --connections LIST  numbers of connections: accept (1,32,128), alerts (1,32), deliver (20,100), relay (1,20,100);
                      one number: memory (32), relay --crash (20)
  --modes LIST        accept: accept-only, deliver, webhooks (delivering, with an endpoint), several (accept-only,deliver);
                      deliver: without and with DKIM signatures (plain,dkim);
                      alerts: what no rule takes, repeats of what is open, what opens an incident (unmatched,repeat,new);
                      relay: messages over each connection, one, many or both (one,many)
  --rules LIST        alerts: numbers of rules (1,100,2000)
  --writers LIST      conflicts: numbers of processes (1,5,20)
  --accounts LIST     counting: numbers of accounts (10,1000,10000)
  --silences N        alerts: how many there are (500)
  --domains N         intel: how many are looked at without a store (200) and with one (500)
  --reports LIST      intel: numbers of domains of a report (1,50,500)
  --profile DIR       accept, alerts, relay: CPU profiles of Hermod's threads go there (it runs slower, and ends by SIGTERM)
  --messages N        how many messages: memory (200000), storage (20000), search (2000000), lists (300000), dashboard, in its list (100000), in each measurement of counting and webhooks (10000), deliver (5000) and relay (4000)
  --warm-up N         messages before the first measurement: relay, in each mode (2000; 250: a service that was just restarted); deliver (1000)
  --against DIR       accept, deliver, relay: a checkout of Hermod that is built: measured in turn with this one
  --peers LIST        what stands beside Hermod: deliver (postfix,haraka), relay (postfix,haraka,zonemta), alerts (alertmanager),
                      intel (checkdmarc); none: nothing
  --mongodb URL       relay: the server for ZoneMTA (MONGODB_URL)
  --crash             relay: no figures; kills Hermod once under load and counts what is lost and what comes twice
  --endpoints LIST    webhooks: numbers of endpoints (1,10,1000)
  --idle MS           accept, memory: how long Hermod idles before its memory is read; deliver, relay: how long its last work is waited for (10000)
  --short             the shortest run: everything starts and ends, and the figures say nothing; other options count before it
  --entries N         lists: how many of anything else (5000), at most its limit
  --runs N            lists: requests for each page (40)
  --data DIR          lists: a folder for data that is kept: the next run goes on filling it, and measures it again
  --dir DIR           where the data of the run lies, removed afterwards (the system's temporary folder)
  --json FILE         writes all figures there

MONGODB_URL: measure on that server, in databases of their own, instead of the embedded engine.
`;

const experiments = {
  accept,
  alerts,
  conflicts,
  counting,
  dashboard,
  memory,
  deliver,
  intel,
  lists,
  relay,
  search,
  storage,
  webhooks,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    seconds: { type: "string" },
    connections: { type: "string" },
    modes: { type: "string" },
    rules: { type: "string" },
    writers: { type: "string" },
    accounts: { type: "string" },
    silences: { type: "string" },
    domains: { type: "string" },
    reports: { type: "string" },
    profile: { type: "string" },
    messages: { type: "string" },
    "warm-up": { type: "string" },
    endpoints: { type: "string" },
    idle: { type: "string" },
    short: { type: "boolean" },
    against: { type: "string" },
    peers: { type: "string" },
    mongodb: { type: "string" },
    crash: { type: "boolean" },
    entries: { type: "string" },
    runs: { type: "string" },
    data: { type: "string" },
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
  const short = values.short ? shortForms[/** @type {keyof typeof shortForms} */ (name)] : {};
  const complete = await experiment({ ...short, ...values }, cleanUp);
  process.exitCode = complete ? 0 : 1;
} finally {
  await cleanUp.run();
}
