import * as Module from "../../service/module.ts"
import { authorize } from "./authorize.ts"
import { discovery, jwks } from "./discovery.ts"
import { faults, Settings } from "./settings.ts"
import { AccessTokens, AuthorizationCodes } from "./tables.ts"
import { token } from "./token.ts"
import { userinfo } from "./userinfo.ts"

/** An OpenID Connect provider: users of other services sign in here. */
export const identityProvider = Module.define({
  name: "idp",
  settings: Settings,
  faults,
  parts: (settings) => ({
    tables: [AuthorizationCodes, AccessTokens],
    endpoints: [...authorize(settings), token(settings), ...userinfo(settings), jwks, discovery(settings)],
  }),
})
