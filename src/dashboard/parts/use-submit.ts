import { useRef } from "react";

interface Submitted<Variables> {
  readonly mutate: (variables: Variables, options: { readonly onSettled: () => void }) => void;
}

/** Submits a change unless one is under way: the second press of a double click comes before the button is disabled. */
export function useSubmit<Variables>({ mutate }: Submitted<Variables>): (variables: Variables) => void {
  const isUnderWay = useRef(false);
  return (variables) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(variables, {
      onSettled: () => {
        isUnderWay.current = false;
      },
    });
  };
}
