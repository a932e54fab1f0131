import { Effect, Schema } from "effect"
import { Errors, Module } from "sallyport/module"

// Refuses users whose email address has another domain, whichever way they sign up or in.

const NotAdmitted = Errors.define("not_admitted", 403, "Use the email address of your company.")

export const companyOnly = Module.define({
  name: "company_only",
  errors: [NotAdmitted],
  settings: Schema.Struct({ domains: Schema.Array(Schema.String) }),
  texts: async (tag): Promise<Record<string, string>> =>
    tag === "en" ? { "error.not_admitted": "Use the email address of your company." } : {},
  parts: ({ domains }) => ({
    gates: [({ email }) => (domains.some((domain) => email.endsWith(`@${domain}`)) ? Effect.void : Effect.fail(new NotAdmitted()))],
    gateErrors: [NotAdmitted],
  }),
})
