import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListOverviewsRequest,
  ListOverviewsResponseSchema,
  TemplateListingSchema,
} from "../../../gen/hermod/template/v1/template_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { startOf, stepMs } from "../../store/counters/counter-documents.ts";
import type { ListPage } from "../../store/list-page.ts";
import { NO_USE } from "../../store/resource-users.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { TemplateHeadFacts, TemplateState, TemplateVersionFacts } from "../../store/template-store.ts";
import { searchOfAccount } from "../page.ts";
import { readChoice, readSearch } from "../read-list-filter.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toOverview } from "./template-state.ts";

interface ListNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
}

/** Days with the counted messages, today included. */
const COUNTED_DAYS = 30;

const states = ["published", "draft", "unpublished"] as const;

interface Row {
  readonly state: TemplateState<TemplateVersionFacts, TemplateHeadFacts>;
  readonly name: string;
  readonly subject: string;
}

/**
 * Lists templates of one account by name, with their uses.
 * @throws Fault account.unknown, request.validation_failed
 */
export function createListOverviews({ store, clock }: ListNeeds) {
  return async (
    request: ListOverviewsRequest,
  ): Promise<MessageInitShape<typeof ListOverviewsResponseSchema>> => {
    const search = readSearch(request.search);
    const wanted = readChoice("state", request.state, states);
    const account = await resolveAccount(store, request);
    const isWanted = ({ state, name, subject }: Row) =>
      (wanted === undefined || isIn(wanted, state)) && (!search || search(name) || search(subject));
    const { entries, nextPageToken } = await searchOfAccount(
      { ...request, accountId: account.id },
      {
        store,
        list: listRows,
        cursorOf: ({ name }) => name,
        ...((search || wanted) && { matches: isWanted }),
      },
    );
    if (entries.length === 0) return { nextPageToken };
    const [uses, messages] = await Promise.all([
      account.templates.listUses(),
      countMessages(account, clock.now()),
    ]);
    const templates = entries.map(({ state, name, subject }) => {
      const { users, count } = uses.get(name) ?? NO_USE;
      const { accepted = 0, lastOn } = messages.get(name) ?? {};
      const listing: MessageInitShape<typeof TemplateListingSchema> = {
        subject,
        draftDiffers: draftDiffers(state),
        usedBy: users.map((user) => ({ ...user })),
        usedByCount: count,
        acceptedCount: accepted,
        ...(lastOn !== undefined && { lastUsedOn: lastOn }),
      };
      return { ...toOverview(state), listing };
    });
    return { templates, nextPageToken };
  };
}

/** Templates with the subject of the text in progress. */
async function listRows({ templates }: AccountStore, page: ListPage): Promise<Row[]> {
  const found = await templates.listStates(page);
  const named = found.map((state) => ({ state, name: toOverview(state).name }));
  const unread = named.filter(({ state }) => workingSummary(state) === undefined);
  const drafts = unread.flatMap(({ state, name }) => (hasDraft(state) ? name : []));
  const published = unread.flatMap(({ state, name }) => (!hasDraft(state) && state.published ? name : []));
  const subjects =
    drafts.length + published.length > 0 ? await templates.listSubjects({ published, drafts }) : undefined;
  return named.map(({ state, name }) => {
    const read = hasDraft(state) ? subjects?.drafts : subjects?.published;
    return { state, name, subject: workingSummary(state)?.subject ?? read?.get(name) ?? "" };
  });
}

type Facts = Row["state"];

const hasDraft = ({ head }: Facts) => head?.draftSavedAt !== undefined;

const workingSummary = (state: Facts) => (hasDraft(state) ? state.head?.summary : state.published?.summary);

function isIn(wanted: (typeof states)[number], state: Facts): boolean {
  if (wanted === "draft") return hasDraft(state);
  return (state.published !== undefined) === (wanted === "published");
}

/** Texts that an earlier release stored have no digest: they count as different. */
function draftDiffers(state: Facts): boolean {
  const { published, head } = state;
  const digest = head?.summary?.digest;
  return hasDraft(state) && (digest === undefined || digest !== published?.summary?.digest);
}

/** Messages that were accepted with each template, and the last day (UTC) with one. */
async function countMessages({ counters }: AccountStore, now: Date) {
  const today = startOf("day", now).getTime();
  const counted = await counters.read({
    step: "day",
    from: new Date(today - (COUNTED_DAYS - 1) * stepMs.day),
    until: new Date(today + stepMs.day),
    dimension: "template",
  });
  const messages = new Map<string, { readonly accepted: number; readonly lastOn: string }>();
  for (const { at, value, counts } of counted) {
    if (value === undefined || !counts.accepted) continue;
    const accepted = (messages.get(value)?.accepted ?? 0) + counts.accepted;
    // Days are in the order of time.
    messages.set(value, { accepted, lastOn: at.toISOString().slice(0, 10) });
  }
  return messages;
}
