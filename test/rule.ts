import { it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import type { AnyModule } from "../application/service/module.ts"
import { core, type WorldServices, world } from "./world.ts"

/** Tests of a service with these modules. */
export const rulesOf =
  (modules: ReadonlyArray<AnyModule>) =>
  (
    name: string,
    shown: () => Generator<Effect.Effect<any, any, WorldServices | Scope.Scope>, unknown, never>,
    settings: Record<string, unknown> = {},
  ) =>
    it.effect(name, () => Effect.gen(shown).pipe(Effect.provide(world(modules, settings))))

/** A test in its own world with these settings. */
export const rule = rulesOf(core)

/** Settings that require verified addresses. */
export const verifying = { email_password: { enabled: true, require_email_verification: true } }
