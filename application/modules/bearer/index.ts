import * as Module from "../../service/module.ts"

/** RFC 6750 section 2.1; the scheme's name in any case, as RFC 9110 section 11.1 has it. */
const credentials = /^bearer +([\w.~+/-]+=*)$/i

/** Sessions for clients without cookies: the value travels in header fields. */
export const bearer = Module.define({
  name: "bearer",
  settings: Module.NoSettings,
  parts: () => ({
    sessionTransports: [{ field: "set-auth-token", read: (header) => header("authorization")?.match(credentials)?.[1] ?? null }],
  }),
})
