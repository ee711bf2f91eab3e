import { Button, Progress } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { checkDomain, type Domain, domainQuery } from "../../api/domains.ts";
import { Answer } from "../../parts/answer.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { domainTone } from "./domain-status.tsx";
import { reasonsOf } from "./reasons-of.ts";

/** Shows whether mail can be sent, the missing records, the time of the last check, and a check on demand with its progress. */
export function CheckPanel({ domain }: { readonly domain: Domain }) {
  const { name, status, may_send, records, checked_at, next_check_at } = domain;
  const reasons = reasonsOf(domain);
  const queryClient = useQueryClient();
  const may = useMay();
  const check = useMutation({
    mutationFn: () => checkDomain(name),
    onSuccess: (found) => {
      queryClient.setQueryData(domainQuery(name).queryKey, found);
      return queryClient.invalidateQueries({ queryKey: ["domains", "list"] });
    },
  });
  const required = records.filter((record) => record.required);
  const found = required.filter(({ outcome }) => outcome === "right");
  return (
    <>
      <Answer tone={may_send ? domainTone(status) : "warn"}>
        <p>
          <b>{may_send ? t.domains.maySend : t.domains.mayNotSend}</b>
        </p>
        <div role="status" className="muted">
          <p>
            {checked_at ? t.domains.checkResult(found.length, required.length) : t.domains.noAnswerYet}{" "}
            {checked_at && (
              <>
                {t.domains.checked} <Time at={checked_at} withDay />. {t.domains.nextCheck}{" "}
                <Time at={next_check_at} withDay />.
              </>
            )}
          </p>
          {reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
          {check.isPending && (
            <>
              <p>{t.domains.checking}</p>
              <Progress value={100} animated size="xs" mt={8} aria-label={t.domains.checking} />
            </>
          )}
        </div>
        {may("domains.write") && (
          <p className="gap-above">
            <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
              {t.domains.check}
            </Button>
          </p>
        )}
      </Answer>
      <FormFault error={check.error} />
    </>
  );
}
