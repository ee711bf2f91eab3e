import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { newSilence } from "../../../contracts/common/silence-schemas.ts";
import { type inhibitionVersion, silences } from "../../../contracts/dashboard/silences.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(silences);

export type Inhibition = Awaited<ReturnType<typeof putInhibition>>;
/** The settings of an inhibition, as a change sends them. */
export type InhibitionContent = z.output<typeof inhibitionVersion>["content"];

/** All inhibitions, by name: an account has few. */
export const inhibitionsQuery = queryOptions({
  queryKey: ["inhibitions", "all"],
  queryFn: ({ signal }) => call(() => client.listInhibitions({ fetchOptions: { signal } })),
});

/** Versions of an inhibition, newest first. */
export const inhibitionVersionsQuery = (name: string) =>
  listQuery(["inhibitions", "versions", name], 50, ({ query, fetchOptions }) =>
    call(() => client.listInhibitionVersions({ params: { name }, query, fetchOptions })),
  );

/** A version with its settings. */
export const inhibitionVersionQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: ["inhibitions", "version", name, version],
    queryFn: ({ signal }) =>
      call(() =>
        client.getInhibitionVersion({ params: { name, version: String(version) }, fetchOptions: { signal } }),
      ),
  });

/** The fields that differ between two versions. */
export const inhibitionDifferenceQuery = (name: string, before: number, after: number) =>
  queryOptions({
    queryKey: ["inhibitions", "difference", name, before, after],
    queryFn: ({ signal }) =>
      call(() =>
        client.compareInhibitionVersions({
          params: { name },
          query: { before: String(before), after: String(after) },
          fetchOptions: { signal },
        }),
      ),
  });

/** Creates or replaces an inhibition. @param if_revision `none` for a new one */
export const putInhibition = (name: string, if_revision: string, content: InhibitionContent) =>
  call(() => client.putInhibition({ params: { name }, body: { ...content, if_revision } }));

export const restoreInhibition = (name: string, if_revision: string, version: number) =>
  call(() => client.restoreInhibition({ params: { name }, body: { if_revision, version } }));

export const deleteInhibition = (name: string, if_revision: string) =>
  call(() => client.deleteInhibition({ params: { name }, query: { if_revision } }));

export type Silence = Awaited<ReturnType<typeof endSilence>>;
/** The settings of a silence, as a change sends them. */
export type SilenceContent = Omit<z.output<typeof newSilence>, "confirm">;
/** The settings that decide which alerts a silence suppresses. */
export type SilenceMatch = Pick<SilenceContent, "match" | "any" | "weekly">;
export type SilencePreview = Awaited<ReturnType<typeof previewSilence>>;

/** `pending`: it is planned, or weekly and between its windows. */
export const silenceStates = ["active", "pending", "expired"] as const;

const POLL_MS = 30_000;

/** Silences of the account, newest first, with their states of now. */
export const silencesQuery = {
  ...listQuery(["silences", "list"], 100, ({ query, fetchOptions }) =>
    call(() => client.listSilences({ query, fetchOptions })),
  ),
  refetchInterval: pollEvery(POLL_MS),
};

/** A silence. Time alone changes its state. */
export const silenceQuery = (silence_id: string) =>
  queryOptions({
    queryKey: ["silences", "one", silence_id],
    queryFn: ({ signal }) =>
      call(() => client.getSilence({ params: { silence_id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery<Silence>((data) => data?.state !== "expired" && POLL_MS),
  });

const previewSilence = (body: SilenceMatch, signal: AbortSignal) =>
  call(() => client.previewSilence({ body, fetchOptions: { signal } }));

/** The open incidents and past alerts that a silence would suppress. Until the next answer, the former one stays. */
export const silencePreviewQuery = (match: SilenceMatch) =>
  queryOptions({
    queryKey: ["silence-preview", match],
    queryFn: ({ signal }) => previewSilence(match, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

/** @param confirm whether the user has confirmed that it suppresses nearly all alerts, or critical ones of every kind */
export const createSilence = (content: SilenceContent, confirm: boolean) =>
  call(() => client.createSilence({ body: { ...content, ...(confirm && { confirm }) } }));

/** Replaces all settings. The server refuses it if the silence has another revision, or has ended. */
export const changeSilence = (
  silence_id: string,
  if_revision: string,
  content: SilenceContent,
  confirm: boolean,
) =>
  call(() =>
    client.changeSilence({
      params: { silence_id },
      body: { ...content, if_revision, ...(confirm && { confirm }) },
    }),
  );

export const endSilence = (silence_id: string) => call(() => client.endSilence({ params: { silence_id } }));
