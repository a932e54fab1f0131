import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { Data, Effect } from "effect"

/** A backup was not made, not restored or not checked. The message says why, in one line. */
export class BackupFailed extends Data.TaggedError("BackupFailed")<{ readonly message: string }> {}

/** Runs a program of the database; its output. Fails with the first line of its complaint. */
export const runTool = (program: string, args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.tryPromise({
    try: async (signal) => {
      const env = { ...process.env, ...environment }
      return (await promisify(execFile)(program, args, { env, signal, maxBuffer: 2 ** 28 })).stdout
    },
    catch: (fault) => {
      const { code, stderr, message } = fault as { readonly code?: unknown; readonly stderr?: string; readonly message: string }
      if (code === "ENOENT") return new BackupFailed({ message: `${program} was not found: install the tools of the database` })
      const reason = (stderr || message).split("\n").find((line) => line.trim() !== "") ?? ""
      return new BackupFailed({ message: `The backup cannot be restored (${reason.trim()})` })
    },
  })
