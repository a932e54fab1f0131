import { it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import type { AnyModule } from "../application/service/module.ts"
import { core, type WorldServices, world } from "./world.ts"

/** Rules of a service with these modules. */
export const rulesOf =
  (modules: ReadonlyArray<AnyModule>) =>
  (
    name: string,
    shown: () => Generator<Effect.Effect<any, any, WorldServices | Scope.Scope>, unknown, never>,
    settings: Record<string, unknown> = {},
  ) =>
    it.effect(name, () => Effect.gen(shown).pipe(Effect.provide(world(modules, settings))))

/** A rule of the service, shown in a world of its own with these settings. */
export const rule = rulesOf(core)

/** Settings under which addresses have to be verified. */
export const verifying = { email_password: { enabled: true, require_email_verification: true } }
