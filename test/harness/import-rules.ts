const FRONT_END = ["contracts", "gen", "src/rpc", "src/message", "src/shared"];

/** Areas that compose the others, and may import all of them. */
export const freeAreas = ["src", "src/roles", "gen"];

/** Areas and single files that each other area may import in addition to itself and packages. */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  "src/message": ["src/shared"],
  "src/shared": ["contracts"],
  "src/rpc": ["contracts", "gen", "src/shared"],
  "src/engine": ["src/shared"],
  "src/store": ["src/alerts", "src/intel", "src/rollups", "src/message", "src/shared"],
  "src/rollups": [],
  "src/alerts": ["contracts", "src/message", "src/shared"],
  "src/leases": ["src/store", "src/shared"],
  "src/events": ["contracts", "src/store", "src/message", "src/shared"],
  "src/notices": ["src/store", "src/message", "src/shared"],
  "src/dns": ["src/message", "src/shared"],
  "src/transport-security": ["src/dns", "src/message", "src/shared"],
  "src/smtp-client": ["src/transport-security", "src/dns", "src/message", "src/shared"],
  "src/routing": ["src/store", "src/message", "src/shared"],
  "src/webhooks": ["src/dns", "src/events", "src/store", "src/shared"],
  "src/watches": ["src/intel", "src/rollups", "src/store", "src/message", "src/shared"],
  "src/domains": ["src/dns", "src/store", "src/message", "src/shared"],
  "src/delivery": [
    "src/leases",
    "src/events",
    "src/notices",
    "src/smtp-client",
    "src/transport-security",
    "src/dns",
    "src/routing",
    "src/store",
    "src/message",
    "src/shared",
  ],
  "src/core": [
    "contracts",
    "gen",
    "src/rpc",
    "src/alerts",
    "src/events",
    "src/notices",
    "src/domains",
    "src/watches",
    "src/intel",
    "src/rollups",
    "src/routing",
    "src/store",
    "src/message",
    "src/shared",
  ],
  "src/intel": [
    "contracts",
    "src/smtp-client",
    "src/transport-security",
    "src/dns",
    "src/rollups",
    "src/message",
    "src/shared",
  ],
  "src/edge": FRONT_END,
  "src/smtp": FRONT_END,
  "src/admin": FRONT_END,
  // The calendar of on-call shifts previews unsaved settings with the rules of the server.
  "src/dashboard": [
    "contracts",
    "src/alerts/on-call/find-shifts.ts",
    "src/alerts/on-call/on-call-schedule.ts",
    "src/shared/local-time.ts",
  ],
  "src/cli": [...FRONT_END, "src/config.ts", "src/settings.ts"],
};

/** Areas that may be imported for types only: the store describes results of checks but does not create them. */
export const typesOnly: Readonly<Record<string, readonly string[]>> = { "src/store": ["src/intel"] };
