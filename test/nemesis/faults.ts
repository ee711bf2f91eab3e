import type { MxHost } from "../harness/mx-host.ts";
import type { Link } from "./link.ts";
import type { Random } from "./random.ts";
import type { Supervised } from "./supervised.ts";
import type { Database, Undo, World } from "./world.ts";

export interface Struck {
  /** Description for the record. */
  readonly what: string;
  readonly undo: Undo;
  /** Processes that may be unready because of it. Missing: all. */
  readonly concerns?: readonly string[];
  /** Processes that cannot work while it lasts. */
  readonly disables?: readonly string[];
}

export interface Fault {
  readonly kind: string;
  /** Two concurrent faults are of different groups, so that neither undoes the other. */
  readonly group: "process" | "core link" | "store" | "recipients" | "dns";
  /** Whether it may cause a second sending of a worker's message in flight. */
  readonly mayDouble: boolean;
  /** Whether this world supports it. */
  readonly fits: (world: World) => boolean;
  /** Causes it, with a random target. */
  readonly strike: (world: World, random: Random) => Promise<Struck>;
}

const nothing: Undo = async () => undefined;
const always = () => true;
const DIRECTIONS = ["there", "back", "both"] as const;

/** The process and its callers. */
function concernedBy({ processes }: World, { name, roles }: Supervised): readonly string[] {
  const callers = processes.filter((one) => usesCore(one)).map((one) => one.name);
  return roles === "core" ? [name, ...callers] : [name];
}

function usesCore({ roles }: Supervised): boolean {
  return roles.includes("edge");
}

function namesOf(processes: readonly Supervised[]): readonly string[] {
  return processes.map(({ name }) => name);
}

/** Processes that check the store for their readiness. */
function storeUsers({ processes }: World): readonly string[] {
  return namesOf(processes.filter(({ roles }) => roles === "core" || roles === "worker"));
}

function struckHosts({ network }: World, random: Random): readonly MxHost[] {
  return network.hosts.filter(() => random.below(3) === 0);
}

/** @returns a function that heals them */
function cut(links: readonly Link[], direction: (typeof DIRECTIONS)[number]): Undo {
  for (const link of links) link.cut(direction);
  return async () => {
    for (const link of links) link.heal();
  };
}

async function behaveAgain(hosts: readonly MxHost[]): Promise<void> {
  for (const host of hosts) host.behave({});
}

const SLOW_REPLY_MS = 2_000;
const SILENT_MS = 600_000;
const SMALL_HEAP_MB = 192;
const SLOW_STORE_MS = { least: 100, most: 600 };
const LATE_DNS_MS = { least: 200, most: 8_000 };
const LOST_DATAGRAMS = [0.3, 0.6, 1];
/** A start does not allow an hour, and less than five seconds is no step. */
const STEPS_MS = [-3_600_000, -120_000, -10_000, -2_000, 2_000, 10_000, 120_000, 3_600_000];
/** A start allows five minutes. */
const SKEWS_MS = [-240_000, -60_000, -3_000, 3_000, 60_000, 240_000];

/** Faults of an installation, by name. */
export const faults: readonly Fault[] = [
  processFault("kill", true, async (struck) => {
    const back = struck.restart("SIGKILL");
    return { undo: () => back };
  }),
  processFault("pause", true, async (struck) => {
    const resume = struck.pause();
    return { undo: async () => resume() };
  }),
  {
    kind: "rolling restart",
    group: "process",
    mayDouble: false,
    fits: always,
    strike: async ({ processes }) => {
      const done = (async () => {
        for (const one of processes) await one.restart("SIGTERM");
      })();
      return { what: "all in turn", undo: () => done };
    },
  },
  processFault("small heap", true, async (struck) => {
    await struck.restart("SIGTERM", { heapMb: SMALL_HEAP_MB });
    return { undo: () => struck.restart("SIGTERM") };
  }),
  processFault("clock step", false, async (struck, random) => {
    const clockMs = random.pick(STEPS_MS);
    struck.disturb({ clockMs });
    return { how: `, by ${clockMs / 1000} s`, undo: async () => struck.disturb({ clockMs: 0 }) };
  }),
  processFault("clock skew", false, async (struck, random) => {
    const clockMs = random.pick(SKEWS_MS);
    struck.disturb({ clockMs });
    await struck.restart("SIGTERM");
    const undo = async () => {
      struck.disturb({ clockMs: 0 });
      await struck.restart("SIGTERM");
    };
    return { how: `, by ${clockMs / 1000} s from its start`, undo };
  }),
  {
    kind: "cut",
    group: "core link",
    mayDouble: false,
    fits: ({ coreLinks }) => coreLinks.length > 0,
    strike: async ({ coreLinks }, random) => {
      const link = random.pick(coreLinks);
      const direction = random.pick(DIRECTIONS);
      const undo = cut([link], direction);
      return { what: `${link.from} to ${link.to}, ${direction}`, undo, concerns: [link.from] };
    },
  },
  {
    kind: "cut off",
    group: "core link",
    mayDouble: false,
    fits: ({ coreLinks }) => coreLinks.length > 0,
    strike: async ({ coreLinks, processes }, random) => {
      const { from } = random.pick(coreLinks);
      const direction = random.pick(DIRECTIONS);
      const own = coreLinks.filter((link) => link.from === from);
      return {
        what: `${from} to every core, ${direction}`,
        undo: cut(own, direction),
        concerns: [from],
        disables: namesOf(processes.filter((one) => one.name === from && usesCore(one))),
      };
    },
  },
  recipientsFault("slow recipients", SLOW_REPLY_MS, false),
  // A server that has the message but never answers gets it again (RFC 5321 section 4.5.3.2.6).
  recipientsFault("silent recipients", SILENT_MS, true),
  dnsFault("lost DNS", (random) => {
    const loss = { share: random.pick(LOST_DATAGRAMS), seed: random.below(1_000) };
    return { what: `${loss.share * 100} % of all datagrams`, disturbance: { loss } };
  }),
  dnsFault("late DNS", (random) => {
    const lateMs = random.between(LATE_DNS_MS.least, LATE_DNS_MS.most);
    return { what: `by ${lateMs} ms`, disturbance: { lateMs } };
  }),
  {
    kind: "full disk",
    group: "store",
    mayDouble: true,
    fits: ({ fillDisk }) => fillDisk !== undefined,
    strike: async ({ fillDisk }) => ({ what: "the data's disk", undo: (await fillDisk?.()) ?? nothing }),
  },
  {
    kind: "slow store",
    group: "store",
    mayDouble: false,
    fits: always,
    strike: async (world, random) => {
      const ms = random.between(SLOW_STORE_MS.least, SLOW_STORE_MS.most);
      return { what: `by ${ms} ms`, undo: await world.slowStore(ms) };
    },
  },
  {
    kind: "store cut",
    group: "store",
    mayDouble: true,
    fits: ({ storeLinks }) => storeLinks.length > 0,
    strike: async (world, random) => {
      const { from } = random.pick(world.storeLinks);
      const direction = random.pick(DIRECTIONS);
      const own = world.storeLinks.filter((link) => link.from === from);
      return {
        what: `${from} to every node, ${direction}`,
        undo: cut(own, direction),
        // A front end may only know this core.
        concerns: [from, ...namesOf(world.processes.filter(usesCore))],
        disables: [from],
      };
    },
  },
  databaseFault("silent node", async (database, _world, random) => {
    const which = random.pick(["primary", "secondary"] as const);
    return { what: `a ${which}`, undo: await database.pauseNode(which) };
  }),
  databaseFault("step down", async (database) => {
    await database.stepDown();
    return { what: "the primary", undo: nothing };
  }),
  databaseFault("kill primary", async (database) => ({
    what: "the primary",
    undo: await database.killPrimary(),
  })),
  databaseFault("lost majority", async (database, world) => ({
    what: "two nodes",
    undo: await database.loseMajority(),
    disables: storeUsers(world),
  })),
];

/** A fault of one process. It and its callers may be unready. */
function processFault(
  kind: string,
  mayDouble: boolean,
  strike: (struck: Supervised, random: Random) => Promise<{ readonly how?: string; readonly undo: Undo }>,
): Fault {
  return {
    kind,
    group: "process",
    mayDouble,
    fits: always,
    strike: async (world, random) => {
      const struck = random.pick(world.processes);
      const { how = "", undo } = await strike(struck, random);
      return { what: `${struck.name}${how}`, undo, concerns: concernedBy(world, struck) };
    },
  };
}

/** A fault of the database nodes. */
function databaseFault(
  kind: string,
  strike: (database: Database, world: World, random: Random) => Promise<Struck>,
): Fault {
  return {
    kind,
    group: "store",
    mayDouble: true,
    fits: ({ database }) => database !== undefined,
    strike: async (world, random) => {
      if (!world.database) throw new Error("This world has no database of its own.");
      return strike(world.database, world, random);
    },
  };
}

/** About a third of the servers answer each command with this delay. */
function recipientsFault(kind: string, replyDelayMs: number, mayDouble: boolean): Fault {
  return {
    kind,
    group: "recipients",
    mayDouble,
    fits: always,
    strike: async (world, random) => {
      const hosts = struckHosts(world, random);
      for (const host of hosts) host.behave({ replyDelayMs });
      return { what: `${hosts.length} servers`, undo: () => behaveAgain(hosts), concerns: [] };
    },
  };
}

function dnsFault(kind: string, draw: (random: Random) => DnsStrike): Fault {
  return {
    kind,
    group: "dns",
    mayDouble: false,
    fits: always,
    strike: async ({ network }, random) => {
      const { what, disturbance } = draw(random);
      network.dns.disturb(disturbance);
      return { what, undo: async () => network.dns.disturb({}), concerns: [] };
    },
  };
}

interface DnsStrike {
  readonly what: string;
  readonly disturbance: Parameters<World["network"]["dns"]["disturb"]>[0];
}
