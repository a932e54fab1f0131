import { Data } from "effect"
import { endingOf } from "../cli/start-faults.ts"
import { ConfigurationFault } from "../config/faults.ts"
import { reasonOf } from "../root-cause.ts"

/** A start failed. The message is the text that the command prints; `cause` is the error that it describes. */
export class StartFailed extends Data.TaggedError("StartFailed")<{ readonly message: string; readonly cause: unknown }> {}

/** The error with which `sallyport()` rejects. */
export const startFailed = (fault: unknown): ConfigurationFault | StartFailed =>
  fault instanceof ConfigurationFault
    ? fault
    : new StartFailed({ message: endingOf(fault)?.lines.join("\n") ?? `The service cannot start: ${reasonOf(fault)}`, cause: fault })
