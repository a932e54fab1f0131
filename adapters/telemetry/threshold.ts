import { Context, Logger, LogLevel } from "effect"

/** The least severe level that is written, and whether lines of two levels are. */
interface Written {
  level: LogLevel.LogLevel
  isInfo: boolean
  isDebug: boolean
}

export const writtenFrom = (level: LogLevel.LogLevel): Written => ({
  level,
  isInfo: LogLevel.isLessThanOrEqualTo(level, "Info"),
  isDebug: LogLevel.isLessThanOrEqualTo(level, "Debug"),
})

/** A reload changes the fields. */
export const Threshold = Context.Reference<Written>("sallyport/Threshold", { defaultValue: () => writtenFrom("Info") })

/** A logger that leaves out the lines below the threshold. */
export const aboveThreshold = <M, O>(threshold: Written, logger: Logger.Logger<M, O>): Logger.Logger<M, O | undefined> =>
  Logger.make((line) => (LogLevel.isGreaterThanOrEqualTo(line.logLevel, threshold.level) ? logger.log(line) : undefined))
