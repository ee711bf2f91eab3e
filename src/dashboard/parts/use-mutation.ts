import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation as useUnguarded,
} from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { type ChangesUnderWay, createChangesUnderWay } from "./changes-under-way.ts";

interface Options<Data, Variables> extends UseMutationOptions<Data, Error, Variables> {
  readonly mutationFn: (variables: Variables) => Promise<Data>;
}

/**
 * A change that the page sends. The same change is not sent again while it is in progress, nor for a double click: its button
 * is disabled only when the page is next rendered.
 */
export function useMutation<Data, Variables = void>({
  mutationFn,
  ...options
}: Options<Data, Variables>): Omit<UseMutationResult<Data, Error, Variables>, "mutateAsync"> {
  const underWay = useRef<ChangesUnderWay>(undefined);
  underWay.current ??= createChangesUnderWay();
  const changes = underWay.current;
  const { mutate, ...mutation } = useUnguarded<Data, Error, Variables>({
    ...options,
    mutationFn: async (variables) => {
      try {
        const data = await mutationFn(variables);
        changes.succeed(variables);
        return data;
      } catch (error) {
        changes.fail(variables);
        throw error;
      }
    },
  });
  const mutateOnce = useCallback<typeof mutate>(
    (...change) => {
      if (changes.begin(change[0])) mutate(...change);
    },
    [changes, mutate],
  );
  return { ...mutation, mutate: mutateOnce } as ReturnType<typeof useMutation<Data, Variables>>;
}
