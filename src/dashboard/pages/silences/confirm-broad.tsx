import { Problem } from "../../api/problem.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { t } from "../../texts/texts.ts";

interface Confirmable {
  readonly confirm: boolean;
}

interface ConfirmBroadProps<Variables extends Confirmable> {
  /** The request that stores the silence. */
  readonly change: {
    readonly error: Error | null;
    readonly isPending: boolean;
    readonly variables: Variables | undefined;
    readonly reset: () => void;
  };
  /** Sends the same settings with a confirmation. */
  readonly onConfirm: (variables: Variables) => void;
}

const needsConfirmation = (error: Error | null) =>
  error instanceof Problem && error.code === "silence.unconfirmed";

/** The error of a change that the form shows: the dialog shows the other one. */
export const faultBeside = (error: Error | null) => (needsConfirmation(error) ? null : error);

/** Asks for a confirmation if Hermod wants one: the silence suppresses nearly all alerts, or critical ones of every kind. */
export function ConfirmBroad<Variables extends Confirmable>({
  change,
  onConfirm,
}: ConfirmBroadProps<Variables>) {
  const { error, isPending, variables, reset } = change;
  const isAsking = needsConfirmation(error) || (isPending && variables?.confirm === true);
  if (!isAsking || variables === undefined) return null;
  return (
    <Confirm
      title={t.silences.broadTitle}
      detail={t.silences.broadDetail}
      action={t.silences.broadAction}
      isPending={isPending}
      error={null}
      onConfirm={() => onConfirm(variables)}
      onClose={reset}
    />
  );
}
