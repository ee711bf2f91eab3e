import type { Problem } from "../../contracts/common/problem.ts";

export type FieldProblem = Problem["errors"][number];

/** What only the admin port refuses; everything else comes from the catalogue of faults. */
const refusals = {
  "admin.not_found": {
    status: 404,
    title: "There is no such page",
    detail: "Nothing has this address on the admin port.",
  },
  "admin.query_invalid": {
    status: 400,
    title: "The query is not valid",
    detail: "A query parameter has a value that it does not allow.",
  },
  "admin.request_invalid": {
    status: 400,
    title: "The request is malformed",
    detail: "The request could not be read.",
  },
  "admin.host_refused": {
    status: 403,
    title: "The Host header is not trusted",
    detail:
      "The admin port answers to localhost, to IP addresses and to the names in HERMOD_ADMIN_HOSTS only, so that no web page can reach it under a name of its own.",
  },
  "admin.cross_origin": {
    status: 403,
    title: "The request comes from another site",
    detail: "Only the inbox page itself, or a client that is no browser, may change anything here.",
  },
} as const;

export type RefusalCode = keyof typeof refusals;

/** A request that the admin port turns down by itself, without asking the core. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly title: string;
  readonly errors: readonly FieldProblem[];

  constructor(code: RefusalCode, detail?: string, errors: readonly FieldProblem[] = []) {
    super(detail ?? refusals[code].detail);
    this.name = "Refusal";
    this.code = code;
    this.status = refusals[code].status;
    this.title = refusals[code].title;
    this.errors = errors;
  }
}

export function refusal(code: RefusalCode, detail?: string, errors?: readonly FieldProblem[]): Refusal {
  return new Refusal(code, detail, errors);
}
