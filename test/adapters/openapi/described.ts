import { Effect } from "effect"
import { openApi } from "../../../adapters/openapi/document.ts"
import type { Json } from "../../../adapters/openapi/json.ts"
import * as Auth from "../../../application/service/auth.ts"
import type { AnyModule } from "../../../application/service/module.ts"
import { decode } from "../../../domain/settings.ts"
import { modules as everything } from "../../everything.ts"

interface Asked {
  readonly modules?: ReadonlyArray<AnyModule>
  readonly settings?: object
  readonly rest?: boolean
}

/** The document of a service with these modules and settings. */
export const described = ({ modules = everything, settings = {}, rest = true }: Asked = {}): Json =>
  openApi({ auth: Auth.make(modules), modules, settings: Effect.runSync(decode(settings)), rest })
