import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { membersQuery } from "../../api/members.ts";
import type { Person } from "../../api/oncalls.ts";
import { rowsOf } from "../../api/pages.ts";
import { sessionQuery } from "../../api/session.ts";
import { useMay } from "../../parts/use-may.ts";
import { personKey } from "./people.ts";

/** The user, other members as far as the role may see them, and further people, each once. */
export function usePersons(others: readonly Person[]): readonly Person[] {
  const may = useMay();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const members = useInfiniteQuery({ ...membersQuery, enabled: may("members.read") });
  const persons = [
    ...others,
    { user_id: session.user_id, address: session.email },
    ...rowsOf(members.data).map(({ user_id, email }) => ({ user_id, address: email })),
  ];
  const reached = persons.filter(({ address }) => address !== "");
  return [...new Map(reached.map((person) => [personKey(person), person])).values()];
}
