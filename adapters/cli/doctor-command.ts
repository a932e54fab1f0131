import { type Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { Configuration } from "../config/load.ts"
import type { ConfigurationFault } from "../configuration-faults.ts"
import { misconfigured, type Options } from "../doctor/doctor.ts"
import { json, toggle } from "../flags.ts"

/** OWASP: a hash should take less than one second. */
const longest = 1000

const flags = {
  hashTime: Flag.Int("hash-time").pipe(
    Flag.withMetavar("MILLISECONDS"),
    Flag.withDescription(`Measure which email_password.hash is the strongest whose hash takes less than this time (1 to ${longest})`),
    Flag.filter(
      (milliseconds) => milliseconds >= 1 && milliseconds <= longest,
      () => `Expected a number between 1 and ${longest}`,
    ),
    Flag.optional,
  ),
  production: toggle(
    "production",
    "Also check what production needs: clock, connections, durability, rights, replication, backups, certificates",
  ),
  instances: Flag.Int("instances").pipe(
    Flag.withMetavar("NUMBER"),
    Flag.withDescription("How many instances share the database, for --production; default: 1"),
    Flag.withDefault(1),
    Flag.filter(
      (count) => count >= 1,
      () => "Expected at least 1",
    ),
  ),
  json,
}

type Run<R, S> = (
  action: (configuration: Configuration) => Effect.Effect<void, unknown, R>,
  misconfigured: (fault: ConfigurationFault) => Effect.Effect<void, unknown>,
) => Effect.Effect<void, unknown, S>

/** `doctor`. */
export const doctorCommand = <R, S>(
  run: Run<R, S>,
  doctor: (configuration: Configuration, options: Options) => Effect.Effect<void, unknown, R>,
) =>
  Command.make("doctor", flags, ({ hashTime, production, instances, json }) =>
    run(
      (configuration) =>
        doctor(configuration, {
          json,
          hashTime: Option.getOrUndefined(hashTime),
          production: production ? { instances } : undefined,
        }),
      (fault) => misconfigured(fault, { json }),
    ),
  ).pipe(
    Command.withDescription(
      "Check configuration, secret, key management, database, mail server, SMS gateway, public_url and the time of a password hash, and what `init` made in the application of this folder; the exit code is 1 if a check found an error, and 0 with warnings only",
    ),
  )
