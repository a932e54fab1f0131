import * as Module from "../../service/module.ts"

/**
 * The `Authorization` header field with a bearer token (RFC 6750 section 2.1). The scheme name is case-insensitive (RFC 9110 section 11.1).
 */
const credentials = /^bearer +([\w.~+/-]+=*)$/i

/** Sessions for clients without cookies: the credential is sent in header fields. */
export const bearer = Module.define({
  name: "bearer",
  settings: Module.NoSettings,
  parts: () => ({
    sessionTransports: [{ field: "set-auth-token", read: (header) => header("authorization")?.match(credentials)?.[1] ?? null }],
  }),
})
