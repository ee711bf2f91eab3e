import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { installation, type installationFacts } from "../../../contracts/dashboard/installation.ts";
import { call, clientOf } from "./client.ts";

const client = clientOf(installation);

export type Installation = z.output<typeof installationFacts>;

/** Addresses, limits and settings of the installation. */
export const installationQuery = queryOptions({
  queryKey: ["installation"],
  queryFn: ({ signal }) => call(() => client.getInstallation({ fetchOptions: { signal } })),
  staleTime: 60_000,
});
