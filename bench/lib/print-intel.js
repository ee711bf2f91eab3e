import { printHead } from "./print-head.js";
import { spread } from "./statistics.js";
import { figure, megabytes, range, table } from "./table.js";

/**
 * @typedef {import("../intel.js").Rate} Rate
 *
 * @typedef {import("../intel.js").ReportCost} ReportCost
 *
 * @typedef {object} IntelFigures of all rounds
 * @property {number} rounds
 * @property {number} domains
 * @property {number} storedDomains
 * @property {number} addresses
 * @property {string | undefined} peer
 * @property {readonly Rate[]} looks
 * @property {readonly Rate[]} lists
 * @property {readonly Rate[]} watches
 * @property {readonly ReportCost[]} reports
 */

const NOTES = `Cold: nothing is cached. CPU s/1000: CPU seconds of the checking process for 1,000 check runs, without the DNS server.
Both check MX, SPF, DMARC, MTA-STS, TLS reports and BIMI. checkdmarc also queries the names of mail hosts, Hermod DKIM, CAA and the
names of sending addresses, and judges known certificates. The store contains one account.
PDF again: the same document again, with loaded fonts. Build includes the start of the thread. Memory is that of the whole process.`;

/** @param {import("./print-head.js").About & IntelFigures} result */
export function printIntel({ rounds, domains, storedDomains, addresses, peer, ...result }) {
  const { looks, lists, watches, reports, ...about } = result;
  const print = (/** @type {string} */ text = "") => process.stdout.write(`${text}\n`);
  printHead(about, `${rounds} rounds`);
  const heads = ["at once", "looks/s", "CPU s/1000", "queries a look"];
  const beside = peer === undefined ? "" : `, beside ${peer}`;
  const ratios = peer === undefined ? [] : ratioRows(looks);
  print(table([`${domains} domains${beside}`, ...heads], [...rateRows(looks, nameOf), ...ratios]));
  print();
  print(
    table(
      [`${storedDomains} domains, stored`, ...heads],
      rateRows(watches, ({ subject }) => subject),
    ),
  );
  print();
  print(
    table(
      [`${addresses} addresses`, ...heads],
      rateRows(lists, ({ subject }) => subject),
    ),
  );
  print();
  const columns = ["build s", "HTML s", "PDF s", "PDF again s", "HTML", "PDF", "idle RSS", "peak RSS"];
  print(table(["report", ...columns], reportRows(reports)));
  print(`\n${NOTES}`);
}

/** @param {Rate} rate */
function nameOf({ subject, memory }) {
  return `${subject}, ${memory}`;
}

/** @param {readonly Rate[]} rates @param {(rate: Rate) => string} name */
function rateRows(rates, name) {
  return groupsOf(rates, (rate) => `${name(rate)} ${rate.atOnce}`).map((rounds) => {
    const [first] = rounds;
    const median = (/** @type {(rate: Rate) => number} */ read) => figure(spread(rounds.map(read)).median);
    return [
      first ? name(first) : "",
      String(first?.atOnce),
      range(spread(rounds.map(({ perSecond }) => perSecond))),
      median(({ cpuPerThousand }) => cpuPerThousand),
      median(({ queriesPerLook }) => queriesPerLook),
    ];
  });
}

/** Hermod's rate and CPU time relative to those of the peer in the same round. @param {readonly Rate[]} looks */
function ratioRows(looks) {
  const others = looks.filter(({ subject }) => subject === "checkdmarc");
  return groupsOf(others, ({ memory, atOnce }) => `${memory} ${atOnce}`).map((rounds) => {
    const [{ memory, atOnce } = { memory: "cold", atOnce: 0 }] = rounds;
    const over = (/** @type {(rate: Rate) => number} */ read) =>
      spread(
        rounds.map((other) => {
          const own = looks.find(
            (one) =>
              one.subject === "Hermod" &&
              one.memory === memory &&
              one.atOnce === atOnce &&
              one.round === other.round,
          );
          return own ? read(own) / read(other) : Number.NaN;
        }),
      );
    const [rate, cpu] = [over(({ perSecond }) => perSecond), over((one) => one.cpuPerThousand)];
    return [`Hermod over checkdmarc, ${memory}`, String(atOnce), range(rate), figure(cpu.median), ""];
  });
}

/** @param {readonly ReportCost[]} reports */
function reportRows(reports) {
  const inOrder = [...reports].sort((a, b) => a.domains - b.domains);
  return groupsOf(inOrder, ({ domains }) => String(domains)).map((rounds) => {
    const over = (/** @type {(cost: ReportCost) => number | undefined} */ read) =>
      spread(rounds.map((one) => read(one) ?? Number.NaN));
    const domains = rounds[0]?.domains ?? 0;
    return [
      `${domains} domain${domains === 1 ? "" : "s"}`,
      range(over((one) => one.buildSeconds)),
      range(over((one) => one.htmlSeconds)),
      range(over((one) => one.pdfSeconds)),
      range(over((one) => one.pdfAgainSeconds)),
      ...[
        over((one) => one.htmlBytes),
        over((one) => one.pdfBytes),
        over((one) => one.idleBytes),
        over((one) => one.peakBytes),
      ].map(({ median }) => (median < 1024 * 1024 ? `${figure(median / 1024)} kB` : megabytes(median))),
    ];
  });
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T) => string} key
 * @returns {T[][]} in the order in which they first come
 */
function groupsOf(all, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return [...groups.values()];
}
