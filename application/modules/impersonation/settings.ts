import { Schema } from "effect"
import { orElse } from "../../../domain/settings.ts"
import type { Fault, Rest } from "../../service/module.ts"

export const ImpersonationSettings = Schema.Struct({
  notify: Schema.Literals(["always", "never"]).pipe(
    orElse("always", "Whether users get a mail after an administrator was in their account. It does not contain the reason."),
  ),
})
export type ImpersonationSettings = typeof ImpersonationSettings.Type

export const faults = (_: ImpersonationSettings, { modules = {} }: Rest): ReadonlyArray<Fault> =>
  "admin" in modules ? [] : [{ path: [], wanted: "modules.admin as well, since only administrators impersonate users" }]
