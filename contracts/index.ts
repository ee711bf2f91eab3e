import { initContract } from "@ts-rest/core";
import { emails } from "./emails.ts";

/** The whole public API. */
export const api = initContract().router({ emails });
