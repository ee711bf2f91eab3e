import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { checkWatch, watchQuery } from "../../api/watches.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** A check of a domain on demand. Its answer comes with the result, or after ten seconds. */
export function useCheckNow(domainId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => checkWatch(domainId),
    onSuccess: async (found) => {
      queryClient.setQueryData(watchQuery(domainId).queryKey, found);
      const message = found.checking ? t.watches.checkLong : t.watches.checkDone;
      notifications.show({ message, role: "status" });
      // Also its findings, its history and its place in the list.
      await queryClient.invalidateQueries({ queryKey: ["intel"] });
    },
  });
}
