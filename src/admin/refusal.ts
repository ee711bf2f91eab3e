import type { Problem } from "../../contracts/common/problem.ts";

export type FieldProblem = Problem["errors"][number];

/** Refusals of the admin port only; all others come from the catalog of faults. */
const refusals = {
  "admin.not_found": {
    status: 404,
    title: "The page does not exist",
    detail: "The admin port has no page with this address.",
  },
  "admin.query_invalid": {
    status: 400,
    title: "The query is not valid",
    detail: "A query parameter has an invalid value.",
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
      "The admin port accepts only localhost, IP addresses and the names in HERMOD_ADMIN_HOSTS, so that other websites cannot reach it under their own name.",
  },
  "admin.cross_origin": {
    status: 403,
    title: "The request comes from another site",
    detail: "Only the inbox page itself, or a client that is not a browser, may change data here.",
  },
} as const;

export type RefusalCode = keyof typeof refusals;

/** A request that the admin port refuses without calling the core. */
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
