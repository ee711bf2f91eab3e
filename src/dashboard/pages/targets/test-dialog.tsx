import { Button, Group, Stack } from "@mantine/core";
import type { Target, TargetTest } from "../../api/targets.ts";
import { Answer } from "../../parts/answer.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { Pending } from "../../parts/state-view.tsx";
import { spanText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { adviceFor, resultText } from "./advice.ts";

interface TestDialogProps {
  readonly target: Target;
  /** The request that sends the sample. */
  readonly test: {
    readonly data: TargetTest | undefined;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** The answer of a target to a sample. */
export function TestDialog({ target, test, onAgain, onClose }: TestDialogProps) {
  return (
    <Dialog onClose={onClose} title={t.targets.testTitle(target.name)} size="lg">
      <Stack>
        <p className="muted tight">{t.targets.testDetail[target.kind]}</p>
        <div role="status">
          {test.isPending && <Pending />}
          {test.data && <Result kind={target.kind} result={test.data} />}
        </div>
        <FormFault error={test.error} />
        <Group justify="flex-end">
          <Button variant="default" loading={test.isPending} onClick={onAgain}>
            {t.targets.testAgain}
          </Button>
          <Button onClick={onClose}>{t.common.close}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Result({ kind, result }: { readonly kind: Target["kind"]; readonly result: TargetTest }) {
  const { accepted, status, answer, duration_ms: durationMs } = result;
  return (
    <Answer tone={accepted ? "ok" : "bad"}>
      <p>
        {accepted
          ? t.targets.testAccepted(status, spanText(durationMs))
          : t.targets.testFailed(spanText(durationMs))}
      </p>
      {!accepted && (
        <>
          <p className="tight">{resultText(result)}</p>
          <p>{adviceFor(kind, status)}</p>
        </>
      )}
      {answer && <pre className="smtp wrapped">{answer}</pre>}
    </Answer>
  );
}
