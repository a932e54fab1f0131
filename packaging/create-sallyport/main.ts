#!/usr/bin/env node
// `npm create sallyport`: the command `sallyport init` alone, without the packages of the service.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { initCommand } from "../../adapters/init/init-command.ts"
import { teardown } from "../../adapters/process/stop.ts"

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"))

initCommand("create-sallyport", version).pipe(
  Command.run({ version }),
  Effect.provide([NodeServices.layer, CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })]),
  (program) => NodeRuntime.runMain(program, { teardown }),
)
