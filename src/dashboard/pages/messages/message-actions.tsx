import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { cancelMessage, type Message, resendMessage, retryMessage } from "../../api/messages.ts";
import { useIdempotencyKeys } from "../../parts/idempotency-keys.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

const waiting = new Set(["scheduled", "queued", "deferred"]);

/** Actions on a message in its state. */
export function MessageActions({ message }: { readonly message: Message }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const keys = useIdempotencyKeys();
  // A second click may come before the button is disabled: Hermod would refuse it.
  const isSending = useRef(false);
  const changed = () => queryClient.invalidateQueries({ queryKey: ["messages"] });
  const retry = useMutation({
    mutationFn: () => retryMessage(message.id),
    onSuccess: changed,
    onError: notifyProblem,
  });
  const cancel = useMutation({
    mutationFn: () => cancelMessage(message.id),
    onSuccess: changed,
    onError: notifyProblem,
  });
  const resend = useMutation({
    mutationFn: () => resendMessage(message.id, keys.keyFor(message.id)),
    onSuccess: async ({ id }) => {
      keys.renew();
      await changed();
      await navigate({ to: "/messages/$messageId", params: { messageId: id } });
    },
    onError: notifyProblem,
    onSettled: () => {
      isSending.current = false;
    },
  });
  const sendAgain = () => {
    if (isSending.current) return;
    isSending.current = true;
    resend.mutate();
  };
  const isWaiting = waiting.has(message.state);
  return (
    <div className="row">
      {isWaiting && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t.message.cancel}
        </Button>
      )}
      {!isWaiting && (
        <Button variant="default" loading={resend.isPending} onClick={sendAgain}>
          {t.message.resend}
        </Button>
      )}
      {message.state === "deferred" && (
        <Button loading={retry.isPending} onClick={() => retry.mutate()}>
          {t.message.retry}
        </Button>
      )}
    </div>
  );
}
