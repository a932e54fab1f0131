import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { configurationOf } from "../../../adapters/config/load.ts"
import { optional } from "../../../application/modules/index.ts"

/** The faults of a configuration with these texts. */
const faultsOf = (texts: unknown) =>
  configurationOf({ secret: "x".repeat(32), texts }, optional).pipe(
    Effect.match({ onSuccess: () => [] as ReadonlyArray<string>, onFailure: ({ faults }) => faults }),
  )

describe("texts of the configuration", () => {
  it.effect("replace texts and add languages", () =>
    Effect.map(
      faultsOf({
        en: { "sign_in.submit": "Log in", "error.rate_limited": "Wait {minutes} minutes." },
        de: { "scope.notes:read": "Ihre Notizen lesen", "role.billing": "Buchhaltung", "provider.acme": "Acme", "role.owner": "Inhaber" },
        "pt-PT": { "mail.magic_link.subject": "Iniciar sessão em {service}" },
      }),
      (faults) => expect(faults).toEqual([]),
    ),
  )

  it.effect.each([
    [{ german: { or: "oder" } }, []],
    [{ de_DE: { or: "oder" } }, ["texts.de_DE: found an object, wanted a language tag such as de or pt-BR as the key"]],
    [{ de: { perhaps: "vielleicht" } }, ["texts.de.perhaps: found an unknown key, wanted the key of a text (docs/configuration.md)"]],
    [{ de: { "sign_in.sumbit": "Los" } }, ["texts.de.sign_in.sumbit: found an unknown key, wanted sign_in.submit"]],
    [
      { de: { "mail.magic_link.subject": "Anmelden" } },
      ['texts.de.mail.magic_link.subject: found "Anmelden", wanted a text with {service}'],
    ],
    [
      { de: { "mail.magic_link.subject": "{name} bei {service}" } },
      ['texts.de.mail.magic_link.subject: found "{name} bei {service}", wanted a text with {service}'],
    ],
    [{ de: { or: "{name}" } }, ['texts.de.or: found "{name}", wanted a text without placeholders']],
    [{ de: { "role.owner": "{name}" } }, ['texts.de.role.owner: found "{name}", wanted a text without placeholders']],
    [{ de: { "scope.notes:read": "{name}" } }, ['texts.de.scope.notes:read: found "{name}", wanted a text without placeholders']],
    [{ de: { or: "{" } }, ['texts.de.or: found "{", wanted an ICU message (EXPECT_ARGUMENT_CLOSING_BRACE)']],
    [{ de: { or: 7 } }, ["texts.de.or: found 7, wanted a text"]],
  ] as const)("with a fault are refused: %j", ([texts, expected]) =>
    Effect.map(faultsOf(texts), (faults) => expect(faults).toEqual(expected)),
  )
})
