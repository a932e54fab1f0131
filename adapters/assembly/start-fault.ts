import { StoreUnavailable } from "../../domain/ports/store.ts"
import { endingOf } from "../process/start-faults.ts"
import { RedisUnavailable } from "../redis/redis-unavailable.ts"

/** The error with which a start rejects: its message is the text that the command prints. Other errors than these two have it already. */
export const described = (fault: unknown): unknown => {
  const message = endingOf(fault)?.lines.join("\n") ?? ""
  if (fault instanceof StoreUnavailable) return new StoreUnavailable({ ...causeOf(fault), message })
  return fault instanceof RedisUnavailable ? new RedisUnavailable({ ...causeOf(fault), message }) : fault
}

const causeOf = ({ cause, isFinal = false }: StoreUnavailable | RedisUnavailable) => ({ cause, isFinal })
