import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit, Redacted } from "effect"
import { Command } from "effect/cli"
import { expect, it, vi } from "vitest"
import { backupCommand } from "../../../adapters/cli/backup-command.ts"
import { configurationOf } from "../../../adapters/config/load.ts"

const secret = "a secret for these tests only, 32+ bytes"
const store = { kind: "postgres", url: "postgres://localhost/app" } as const

it("takes a URL from its arguments or from a variable, and names a variable that does not exist", async () => {
  vi.stubEnv("COPY_URL", "postgres://app:hunter2@copy/app")
  const given: Array<string | undefined> = []
  const lines: Array<string> = []
  const console = { ...globalThis.console, log: () => {}, error: (line: string) => void lines.push(line) }
  const verify = (...args: ReadonlyArray<string>) =>
    Effect.runPromiseExit(
      Effect.gen(function* () {
        const configuration = yield* configurationOf({ secret, store }, [])
        const command = backupCommand<never, never>(
          (action) => action(configuration),
          (_, { server, restored }) => Effect.sync(() => void given.push(...[server, restored].map((url) => url && Redacted.value(url)))),
        )
        yield* Command.runWith(command, { version: "" })(["verify", ...args])
      }).pipe(Effect.provideService(Console.Console, console), Effect.provide(NodeServices.layer)),
    )
  expect(Exit.isSuccess(await verify("file", "--server", "env:COPY_URL"))).toBe(true)
  expect(Exit.isSuccess(await verify("--restored", "postgres://copy/env:app"))).toBe(true)
  expect(given).toEqual(["postgres://app:hunter2@copy/app", undefined, undefined, "postgres://copy/env:app"])
  expect(Exit.isSuccess(await verify("--restored", "env:NO_URL"))).toBe(false)
  expect(lines.join("\n")).toContain("there is no variable NO_URL")
  vi.unstubAllEnvs()
})
