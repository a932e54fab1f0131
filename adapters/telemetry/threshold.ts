import { Context, Logger, LogLevel } from "effect"

/** The least severe level that is written; a reload changes it. */
export const Threshold = Context.Reference<{ readonly level: LogLevel.LogLevel }>("sallyport/Threshold", {
  defaultValue: () => ({ level: "Info" }),
})

export const isLogged = (level: LogLevel.LogLevel, threshold: typeof Threshold.Service): boolean =>
  LogLevel.isGreaterThanOrEqualTo(level, threshold.level)

/** A logger that leaves out the lines below the threshold. */
export const aboveThreshold = <M, O>(threshold: typeof Threshold.Service, logger: Logger.Logger<M, O>): Logger.Logger<M, O | undefined> =>
  Logger.make((line) => (isLogged(line.logLevel, threshold) ? logger.log(line) : undefined))
